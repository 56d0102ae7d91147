#!/usr/bin/env node
// Where servicectl begins: refuses a Node that is too old, then loads the program. It is old syntax, and good as an ES
// module and as CommonJS, because a Node that cannot parse the file cannot say what is needed instead.
'use strict';

var NEEDED = 20;

if (parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    'servicectl: this needs Node ' +
      NEEDED +
      ' or newer, but ' +
      process.execPath +
      ' is ' +
      process.version +
      '\n  → Install a newer Node, then run it again.\n',
  );
  process.exitCode = 1;
} else {
  void import('./main.js');
}

#!/usr/bin/env node
// The entry point: refuses a Node that is too old, then loads the program. The syntax is old on purpose, valid as an ES
// module and as CommonJS: a Node that could not parse this file could not say which version is needed.
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

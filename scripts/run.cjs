// Entry of every npm script: refuses a Node that is too old, then hands over to run.mjs. It is CommonJS in old syntax
// because a Node that cannot parse the file cannot say what is needed instead.
'use strict';

var NEEDED = 20;

if (parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    'service: this needs Node ' +
      NEEDED +
      ' or newer, but ' +
      process.execPath +
      ' is ' +
      process.version +
      ': install a newer Node and try again\n',
  );
  process.exitCode = 1;
} else {
  void import('./run.mjs');
}

// A program for the sandbox's Node: it asks a broker for one thing, and prints the status and the body.
import { EGRESS_MOUNT, EGRESS_SOCKET } from './inside.ts';

/** Arguments: the broker, the method, the path, and the body as JSON. */
export const ASK_BROKER = `const http = require('node:http');
const [host, method, path, body] = process.argv.slice(1);
http.request({
  socketPath: '${EGRESS_MOUNT}/${EGRESS_SOCKET}', method, path,
  headers: { host, accept: 'application/json', 'user-agent': 'service', 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
}, (answer) => {
  answer.setEncoding('utf8');
  process.stdout.write(answer.statusCode + '\\n');
  answer.on('data', (text) => process.stdout.write(text));
}).on('error', (error) => { console.error(error.message); process.exit(1); }).end(body);`;

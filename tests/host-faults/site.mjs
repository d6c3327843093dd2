import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { join, normalize } from 'node:path';

/**
 * Runs as `site.mjs <address> <folder> <certificate> <key>` and serves the files of a folder over HTTPS. Anything else
 * is not found.
 */
const [address, folder = '', certificate = '', key = ''] = process.argv.slice(2);

createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  const path = join(folder, normalize(new URL(request.url ?? '/', 'https://site').pathname));
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-length': found.size, 'last-modified': found.mtime.toUTCString() });
  createReadStream(path).pipe(response);
}).listen(443, address);

import 'reflect-metadata';
import { runService } from '@moorage/runtime';
import { fileURLToPath } from 'node:url';
import { startApi } from './process';

// Built into the folder of this file. The gateway serves the console's files.
const built = { pagesFile: fileURLToPath(new URL('./pages.json', import.meta.url)) };

void runService(
  'api',
  (part) => startApi({ ...part, built }),
  ({ url }) => ({ url }),
);

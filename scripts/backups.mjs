import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGroup } from './jest.mjs';
import { obstacle } from './real-server.mjs';
import { ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * Runs `npm run test:backups`, which tests the scripts that back up and restore servers on a real SSH server with a
 * real Docker Engine, restic, its server, PostgreSQL and SQLite. Requires Debian, root and Go.
 */
const bench = join(root, 'tests', 'real-server', 'bench.sh');

/** Builds what is missing, which takes minutes the first time only. */
export const prepare = () => spawnSync(bench, ['install-for-backups'], { cwd: root, stdio: 'inherit' }).status ?? 1;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  const why = obstacle();
  if (why !== undefined) {
    console.error(why);
    process.exit(1);
  }
  const [flag, ...rest] = process.argv.slice(2);
  const prepared = flag === '--prepared';
  await ensureInstalled();
  if (!prepared && prepare() !== 0) process.exit(1);
  // The platform's side runs the programs directly.
  const programs = spawnSync(bench, ['backup-programs'], { cwd: root, encoding: 'utf8' }).stdout.split('\n');
  [process.env.RESTIC, process.env.REST_SERVER] = programs;
  runGroup('backups', ['--runInBand', ...(prepared ? rest : process.argv.slice(2))]);
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JEST } from './jest.mjs';
import { obstacle } from './real-server.mjs';
import { ensureInstalled, installNightlyPackages, refuseOldNode, root } from './setup.mjs';

/**
 * Runs `npm run test:transports`, which tests the transports on a real Kafka, Redis and PostgreSQL in containers.
 * Requires Debian and root. The images are pulled, or created locally where no registry is reachable.
 */
function withEngine(...command) {
  const { status } = spawnSync(
    join(root, 'infra', 'docker', 'with-engine.sh'),
    ['redis', 'kafka', 'postgres', '--', ...command],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        MOORAGE_TESTS: 'transports',
        // The cleaner of testcontainers needs a separate image. The tests remove what they start.
        TESTCONTAINERS_RYUK_DISABLED: 'true',
        // Replaces the detection of the engine's bridge, which ours does not have.
        TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
      },
    },
  );
  return status ?? 1;
}

/** Installs testcontainers and creates the images, which takes minutes the first time only. */
export const prepare = async () => (await installNightlyPackages()) || withEngine('true');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  const why = obstacle();
  if (why !== undefined) {
    console.error(why);
    process.exit(1);
  }
  await ensureInstalled();
  process.exit(
    (await installNightlyPackages()) || withEngine(process.execPath, ...JEST, '--runInBand', ...process.argv.slice(2)),
  );
}

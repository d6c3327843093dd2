import { seededRandom, SILENT, systemClock, systemRandom } from '@moorage/server';
import { copyPlan } from '@moorage/provisioner/stacks/copy-plan';
import { readPackages } from '@moorage/provisioner/stacks/packages';
import { renderStack } from '@moorage/provisioner/stacks/render';
import { missingSecrets } from '@moorage/provisioner/stacks/secrets';
import type { StackSecrets, StackValues } from '@moorage/provisioner/stacks/types';
import { PATIENCE } from '@moorage/provisioner/ssh/connection';
import { readHostScripts } from '@moorage/provisioner/ssh/scripts';
import { SshClient } from '@moorage/provisioner/ssh/ssh-client.service';
import { DirectDialer, type HostFile, type SshSession } from '@moorage/provisioner/ssh/types';

/** A server that is reached in the same way as in production, for tests that run its scripts themselves. */
export interface RealHost {
  readonly address: string;
  readonly port: number;
  readonly hostKey: string;
  readonly privateKey: string;
}

const CONNECT_MS = 30_000;

/** Opens a session with the real scripts, as a run with this number does. */
export async function openRealHost(host: RealHost, ref: string, runNumber: number): Promise<SshSession> {
  const scripts = await readHostScripts('infra/host');

  const client = new SshClient(new DirectDialer(), scripts, systemClock(), systemRandom(), SILENT, {
    patience: PATIENCE,
  });
  return client.connect({
    address: host.address,
    port: host.port,
    user: 'root',
    privateKey: host.privateKey,
    hostKey: { pinned: [host.hostKey] },
    place: { ref, run_number: runNumber },
    deadline_ms: CONNECT_MS,
  });
}

/** Returns the files of a package's stack and the plan of its copies as in production. */
export async function renderedStack(
  name: string,
  ref: string,
  { values, secrets }: { values: StackValues; secrets: StackSecrets },
): Promise<{ files: readonly HostFile[]; plan: string }> {
  const pack = (await readPackages('infra/packages')).find(name);
  if (pack === null) throw new Error(`no package ${name}`);
  const created = missingSecrets(pack.manifest, values, new Set(Object.keys(secrets)), seededRandom(7));
  const files = renderStack(
    pack,
    values,
    { ...created, ...secrets },
    { ref, acmeDirectoryUrl: 'https://acme.test/directory', traefikPlugins: 'off', ipv6: false },
  );
  return { files, plan: copyPlan({ needs: pack.manifest.backup, rendered: files, ref }) };
}

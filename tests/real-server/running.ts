import { readFile } from 'node:fs/promises';
import type { TimelineEntryAnswer } from '@moorage/contracts';
import { type Person, until } from '../journeys/customer';
import type { Product } from '../journeys/product';
import { type HostFixture, onServer } from './host-fixture';
import type { Site } from './https';

/** Maximum time to reach a status, with waiting for images, DNS and certificates on a busy machine. */
const REACHED_MS = 240_000;

export interface Deployment {
  readonly id: number;
  readonly status: string;
  readonly failure_reason: string | null;
  readonly access_link: string | null;
  readonly instance_ip: string | null;
}

export interface Running {
  readonly read: () => Promise<Deployment>;
  readonly timeline: () => Promise<TimelineEntryAnswer[]>;
  /** Waits for a status. A failure ends the wait with the timeline and the output of the product. */
  readonly reaches: (wanted: string) => Promise<Deployment>;
}

/** Returns what a test asks a deployment, which its owner reads at `path()`. */
export function running(there: () => { product: Product; owner: Person; path: string }): Running {
  const read = async (): Promise<Deployment> => (await there().owner.call<Deployment>('GET', there().path)).body;
  const timeline = async (): Promise<TimelineEntryAnswer[]> =>
    (await there().owner.call<TimelineEntryAnswer[]>('GET', `${there().path}/steps`)).body;
  /** Returns the timeline and the end of the product's output. */
  const story = async (): Promise<string> => {
    const lines = (await timeline()).map(({ step, outcome, message }) => `${step} ${outcome} ${message?.detail ?? ''}`);
    return `${lines.join('\n')}\n${there().product.log().slice(-6_000)}`;
  };
  return {
    read,
    timeline,
    async reaches(wanted) {
      const ended = (status: string): boolean => status === wanted || status.endsWith('FAILED');
      const seen = await until(wanted, read, ({ status }) => ended(status), REACHED_MS).catch(
        async (error: unknown) => {
          throw new Error(`${String(error)}\n${await story()}`);
        },
      );
      if (seen.status !== wanted) throw new Error(`${seen.status} in place of ${wanted}\n${await story()}`);
      return seen;
    },
  };
}

/** Returns the containers of a deployment, with name, image and state. */
export async function containersOf(ref: string): Promise<string[][]> {
  const output = await onServer([
    ...['docker', 'ps', '-a', '--filter', `label=com.docker.compose.project=moorage-${ref}`],
    ...['--format', '{{.Names}} {{.Image}} {{.State}}'],
  ]);
  const lines = output.trim().split('\n').sort();
  return lines.map((line) => line.split(' '));
}

/** Returns each container's id and the time at which it was started, by name. */
export async function startedAt(ref: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name = ''] of await containersOf(ref))
    found[name] = (await onServer(['docker', 'inspect', '-f', '{{.Id}} {{.State.StartedAt}}', name])).trim();
  return found;
}

/** Returns a site of the server, with the root certificate of the test authority. */
export const siteOn = async (server: HostFixture, host: string): Promise<Site> => ({
  host,
  address: server.server.ip,
  port: server.server.https_port,
  root: await readFile(server.acme.root_file, 'utf8'),
});

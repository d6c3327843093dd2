import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, type Instant, iso } from '@moorage/domain';

/** A simulated container. */
export interface SimulatedContainer {
  readonly name: string;
  readonly startedAt: Instant;
  readonly state: 'running' | 'stopped';
}

/** Values that the lines of a container may mention. */
export interface Mentioned {
  /** First name at which the software responds. */
  readonly host: string;
  /** A secret of the stack, which some lines contain by mistake, as those of real software do. */
  readonly secret: string;
}

type Write = (mentioned: Mentioned, number: number) => string;

const PEERS = ['198.51.100.23', '198.51.100.87', '203.0.113.9', '192.0.2.64'];
const peer = (number: number): string => PEERS[number % PEERS.length] ?? '';
const hex = (number: number): string => createHash('sha256').update(String(number)).digest('hex');

const START: readonly Write[] = [
  () => 'level=info msg="Starting" version=1.12.2',
  ({ secret }) => `level=debug msg="Configuration loaded, signing with ${secret}"`,
  () => 'level=info msg="Server started on port 3001"',
];

/** Lines of a router, which are often those of requests. */
const ROUTER: readonly Write[] = [
  ({ host }, number) => `INF Request method=GET host=${host} path=/ status=200 duration=${12 + (number % 80)}ms`,
  ({ host }, number) =>
    `INF Request method=GET host=${host} path=/assets/app.css status=304 duration=${2 + (number % 9)}ms`,
  ({ host }, number) => `INF Request method=POST host=${host} path=/login status=302 duration=${30 + (number % 70)}ms`,
  (_mentioned, number) => `WRN Middleware badger@http: slow answer, ${700 + (number % 500)} ms`,
  ({ host }) => `INF Certificate for ${host} is valid`,
  (_mentioned, number) => `DBG Connection from ${peer(number)} closed`,
];

const SERVICE: readonly Write[] = [
  (_mentioned, number) => `level=info msg="Peer ${hex(number).slice(0, 4)} connected from ${peer(number)}"`,
  (_mentioned, number) => `level=info msg="Job ${number % 10_000} finished in ${20 + (number % 300)} ms"`,
  (_mentioned, number) => `{"level":"info","msg":"Session checked","user":"user-${number % 12}"}`,
  (_mentioned, number) => `level=debug msg="Cache hit" entry=${hex(number).slice(0, 8)}`,
  () => 'level=info msg="Health check passed"',
  (_mentioned, number) => `level=warn msg="Slow query, ${500 + (number % 900)} ms"`,
  () => 'level=error msg="SMTP login refused: 535 5.7.8" password=not-the-right-one',
  () => 'level=info msg="Message to 1 recipient will be tried again in 5 min"',
];

const PERIOD_MS_MIN = 2_500;
const PERIOD_STEP_MS = 700;
const PERIOD_STEPS = 6;

/**
 * Returns the lines of a container in a period, oldest first, and about `most` of the newest. They follow from the
 * clock, so the same period always has the same lines.
 */
export function simulatedLines(
  { name, startedAt, state }: SimulatedContainer,
  mentioned: Mentioned,
  { since, until, most }: { since: Instant; until: Instant; most: number },
): { at: Instant; text: string }[] {
  const seed = Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 6), 16);
  const period = PERIOD_MS_MIN + (seed % PERIOD_STEPS) * PERIOD_STEP_MS;
  const writes = /traefik|proxy|caddy|nginx|router/.test(name) ? ROUTER : SERVICE;
  const from = Math.max(since, startedAt + START.length, until - most * period, until - 8 * DAY_MS);
  const lines = START.map((write, index) => ({ at: startedAt + index, text: write(mentioned, index) })).filter(
    ({ at }) => at >= since && at <= until,
  );
  if (state !== 'running') return lines;
  for (let number = Math.ceil(from / period); number * period <= until; number++) {
    const choice = Number.parseInt(hex(number + seed).slice(0, 6), 16);
    const write = writes[choice % writes.length] ?? (() => '');
    lines.push({ at: number * period, text: write(mentioned, choice) });
  }
  return lines;
}

const MEMORY_BYTES_MIN = 40_000_000;
const MEMORY_BYTES_RANGE = 500_000_000;

/** Returns the memory of a container, which changes a little from hour to hour. */
export function simulatedMemory(name: string, now: Instant): number {
  const part = (text: string): number =>
    Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 6), 16);
  const base = MEMORY_BYTES_MIN + (part(name) % MEMORY_BYTES_RANGE);
  return base + (part(`${name} ${Math.floor(now / HOUR_MS)}`) % Math.floor(base / 20));
}

/** Returns a line as the real script sends it. */
export const sentLine = (name: string, { at, text }: { at: Instant; text: string }): string =>
  `${iso(at).slice(0, 19)}.${String(((at % 1_000) + 1_000) % 1_000).padStart(3, '0')}000000Z ${name} ${text}`;

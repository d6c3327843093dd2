import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Output of `bench.sh up`. */
export interface HostFixture {
  readonly ssh: { readonly host: string; readonly port: number; readonly host_key_fingerprint: string };
  readonly server: { readonly ip: string; readonly https_port: number };
  readonly acme: { readonly root_file: string };
  readonly lab_settings: Readonly<Record<string, string>>;
}

const SCRIPT = join(import.meta.dirname, 'bench.sh');

/** Starts a new server, because remains of a killed run are not a valid start for a test. */
export async function startHost(): Promise<HostFixture> {
  await fixture(['down']);
  return JSON.parse(await fixture(['up'])) as HostFixture;
}

/** Runs a command on the server, as its owner would at the console. `input` is its standard input. */
export const onServer = (command: readonly string[], input = ''): Promise<string> =>
  fixture(['exec', ...command], input);

/** Returns everything that exists on the server, one fact per line. */
export const snapshot = async (): Promise<string[]> => (await fixture(['snapshot'])).trim().split('\n');

/** Runs a command of bench.sh. Returns its output, or throws an error with its error output. */
export function fixture(args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(SCRIPT, args);
    let out = '';
    let complaints = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.stderr.on('data', (chunk) => (complaints += String(chunk)));
    child.once('error', reject);
    // A command that does not read its input is not an error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`bench.sh ${args.join(' ')} ended with ${code}:\n${out}${complaints}`));
    });
  });
}

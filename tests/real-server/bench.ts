import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** What `bench.sh up` prints. */
export interface Bench {
  readonly ssh: { readonly host: string; readonly port: number; readonly host_key_fingerprint: string };
  readonly server: { readonly ip: string; readonly https_port: number };
  readonly acme: { readonly root_file: string };
  readonly lab_settings: Readonly<Record<string, string>>;
}

const SCRIPT = join(import.meta.dirname, 'bench.sh');

/** A fresh one: what an earlier run that was killed has left is no start for a test. */
export async function benchUp(): Promise<Bench> {
  await bench(['down']);
  return JSON.parse(await bench(['up'])) as Bench;
}

/** A command on the server, as its owner types it at the console; `input` on its standard input. */
export const onServer = (command: readonly string[], input = ''): Promise<string> => bench(['exec', ...command], input);

/** Everything that exists on the server, one fact per line. */
export const snapshot = async (): Promise<string[]> => (await bench(['snapshot'])).trim().split('\n');

/** One command of bench.sh; what it printed, or an error with what it complained of. */
export function bench(args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(SCRIPT, args);
    let out = '';
    let complaints = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.stderr.on('data', (chunk) => (complaints += String(chunk)));
    child.once('error', reject);
    // a command that does not read what it is given is no trouble
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`bench.sh ${args.join(' ')} ended with ${code}:\n${out}${complaints}`));
    });
  });
}

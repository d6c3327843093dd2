import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** What `host.sh up` prints. */
export interface Host {
  readonly ssh: { readonly host_key_fingerprint: string };
  readonly server: { readonly ip: string };
  readonly bench_dir: string;
  readonly lab_settings: Readonly<Record<string, string>>;
}

const SCRIPT = join(import.meta.dirname, 'host.sh');

export const hostUp = async (): Promise<Host> => JSON.parse(await host(['up'])) as Host;

/** A command on the server, as its owner types it at the console; `input` on its standard input. */
export const onHost = (command: string, input = ''): Promise<string> => host(['exec', 'sh', '-c', command], input);

/** One command of host.sh; what it printed, or an error with what it complained of. */
export function host(args: readonly string[], input = ''): Promise<string> {
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
      else reject(new Error(`host.sh ${args.join(' ')} ended with ${code}:\n${out}${complaints}`));
    });
  });
}

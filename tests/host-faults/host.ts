import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Output of `host.sh up`. */
export interface Host {
  readonly ssh: { readonly host_key_fingerprint: string };
  readonly server: { readonly ip: string };
  readonly bench_dir: string;
  readonly lab_settings: Readonly<Record<string, string>>;
}

const SCRIPT = join(import.meta.dirname, 'host.sh');

export const hostUp = async (): Promise<Host> => JSON.parse(await host(['up'])) as Host;

/** Runs a command on the server, as its owner would at the console. `input` is its standard input. */
export const onHost = (command: string, input = ''): Promise<string> => host(['exec', 'sh', '-c', command], input);

/** Runs a command of host.sh. Returns its output, or throws an error with its error output. */
export function host(args: readonly string[], input = ''): Promise<string> {
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
      else reject(new Error(`host.sh ${args.join(' ')} ended with ${code}:\n${out}${complaints}`));
    });
  });
}

import ssh2, { type Client, type SFTPWrapper } from 'ssh2';
import type { Sent } from './recorder';

/** What one server receives. */
export interface Task {
  readonly address: string;
  readonly privateKey: string;
  readonly sent: readonly Sent[];
}

type Dial = (address: string, port: number) => Promise<{ readonly host: string; readonly port: number }>;

/** Sends everything to each server over one connection with nothing but ssh2, to a number of servers at a time. */
export async function replay(tasks: readonly Task[], { dial, atOnce }: { dial: Dial; atOnce: number }): Promise<void> {
  const waiting = tasks.values();
  const work = async (): Promise<void> => {
    for (const { address, privateKey, sent } of waiting) {
      const client = await logIn(await dial(address, 22), privateKey);
      const sftp = await openSftp(client);
      for (const each of sent) await ('command' in each ? run(client, each.command, each.input) : upload(sftp, each));
      client.end();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

function logIn(at: { host: string; port: number }, privateKey: string): Promise<Client> {
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client();
    client.once('ready', () => {
      // Otherwise Nagle's algorithm delays every command.
      client.setNoDelay(true);
      resolve(client);
    });
    client.once('error', reject);
    client.connect({ ...at, username: 'root', privateKey });
  });
}

function upload(sftp: SFTPWrapper, sent: Exclude<Sent, { command: string }>): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => (error ? reject(error) : resolve());
    if ('folder' in sent) sftp.mkdir(sent.folder, { mode: 0o700 }, done);
    else sftp.writeFile(sent.file, sent.content, { mode: 0o600 }, done);
  });
}

function openSftp(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error)));
  });
}

/** Resolves when the command has ended with an answer of its script. */
function run(client: Client, command: string, input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error !== undefined) return reject(error);
      let exit: unknown;
      channel.resume();
      channel.on('exit', (code: unknown) => (exit = code));
      channel.on('close', () =>
        exit === 0 || exit === 1 ? resolve() : reject(new Error(`${command}: ${String(exit)}`)),
      );
      channel.end(input);
    });
  });
}

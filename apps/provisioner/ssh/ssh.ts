import type { Clock, Log, Random } from '@moorage/server';
import ssh2, { type Client, type ClientChannel } from 'ssh2';
import { commandOf, EXIT_BUSY, EXIT_TIMED_OUT, STACK_ROOT, STATE_ROOT, stateFolder, wordsOf } from './command';
import { type Connection, openConnection, type Patience } from './connection';
import { type Limits, within } from './deadline';
import { type Answer, type HostScriptName, readAnswer } from './host-scripts';
import { checkFoldersOf } from './keys';
import { boundedOutput } from './output';
import type { HostScripts } from './scripts';
import { type Dial, type HostFile, type Ssh, SshError, type SshSession, type SshTarget } from './types';
import { openSftp } from './upload';

export interface SshParts {
  readonly dial: Dial;
  readonly scripts: HostScripts;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** When a silent host counts as gone; as it is for production where left out. */
  readonly patience?: Patience;
}

/** In production a server is reached where its address says. */
export const dialDirectly: Dial = async (address, port) => ({ host: address, port });

export function createSsh(parts: SshParts): Ssh {
  return {
    async connect(target) {
      const connection = await openConnection(target, parts);
      parts.log.info('ssh connected', {
        address: target.address,
        user: target.user,
        host_fingerprint: connection.hostKey,
      });
      return sessionOf(connection, target, parts);
    },
  };
}

function sessionOf(connection: Connection, target: SshTarget, { scripts, clock, random }: SshParts): SshSession {
  const isRoot = target.user === 'root';
  const folder = target.place === 'check' ? checkFolder(target, random) : target.place.ref;
  const runNumber = target.place === 'check' ? 0 : target.place.run_number;
  const home = stateFolder(folder);

  /** Everything over this connection ends when the connection does. */
  const guarded = <T>(limits: Limits, what: string, begin: () => Promise<T>): Promise<T> => {
    const over = connection.over();
    if (over !== null) return Promise.reject(over);
    const work = begin();
    const orLost = Promise.race([work, connection.lost.then((error) => Promise.reject(error))]);
    work.catch(() => undefined);
    return within(clock, limits, what, () => connection.end(), orLost);
  };

  async function write(files: readonly HostFile[]): Promise<void> {
    const sftp = await openSftp(connection.client);
    try {
      const mark = random.bytes(8).toString('hex');
      if (isRoot) {
        for (const file of files) await sftp.write(file, mark);
        return;
      }
      const start = await sftp.home();
      if (!/^\/[A-Za-z0-9._/-]{0,200}$/.test(start)) throw new SshError('files', 'the home folder has an odd name');
      const staging = `${start.replace(/\/$/, '')}/.moorage-${mark}`;
      for (const file of staged(files, staging, scripts.place)) await sftp.write(file, mark);
      const { exit, errors } = await execute(connection.client, `sudo -n sh ${staging}/place.sh ${staging}`);
      if (exit !== 0) throw new SshError(/^sudo:/m.test(errors) ? 'no_sudo' : 'files', errors.slice(0, 300));
    } finally {
      sftp.end();
    }
  }

  return {
    hostKey: connection.hostKey,

    async upload(files, limits) {
      for (const { path } of files) requireInside(path, folder);
      await guarded(limits, 'uploading', () => write(files));
    },

    async run(name, args, limits) {
      const command = commandOf({
        folder,
        name,
        runNumber,
        seconds: limits.deadline_ms / 1_000,
        args: wordsOf(args),
      });
      const script: HostFile = { path: `${home}/scripts/${name}.sh`, content: scripts.of[name], mode: 0o700 };
      const work = () =>
        write([{ path: `${home}/`, content: '', mode: 0o700 }, script]).then(() =>
          execute(connection.client, isRoot ? command : `sudo -n ${command}`),
        );
      const said = await guarded(limits, name, work);
      if (said.exit !== 0 && said.printed === '' && /^sudo:/m.test(said.errors))
        throw new SshError('no_sudo', said.errors.slice(0, 300));
      return answerOf(name, said);
    },

    async close() {
      connection.end();
    },
  };
}

/** Of this check alone: one that was cut off may still be at work there in its own. */
function checkFolder({ privateKey }: SshTarget, random: Random): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw new RangeError('not a private key');
  return checkFoldersOf(key.getPublicSSH()) + random.bytes(4).toString('hex');
}

interface Said {
  readonly exit: number | 'unknown';
  readonly printed: string;
  readonly errors: string;
}

/** Resolves when the channel is closed, also without an exit code. */
function execute(client: Client, command: string): Promise<Said> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error: Error | undefined, channel: ClientChannel) => {
      if (error !== undefined) return reject(new SshError('lost', error.message.slice(0, 200)));
      const printed = boundedOutput();
      const errors = boundedOutput();
      let exit: Said['exit'] = 'unknown';
      channel.on('data', (chunk: Buffer) => printed.add(chunk));
      channel.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
      channel.on('exit', (code: unknown) => (exit = typeof code === 'number' ? code : 'unknown'));
      channel.on('error', () => undefined);
      channel.on('close', () => resolve({ exit, printed: printed.text(), errors: errors.text() }));
      channel.end();
    });
  });
}

function answerOf<Name extends HostScriptName>(name: Name, { exit, printed, errors }: Said): Answer<Name> {
  const output = printed + errors;
  const none = (code: string): Answer<Name> => ({ ok: false, code, facts: null, exit, output });
  if (exit === 'unknown') return none('EXIT_UNKNOWN');
  const answer = readAnswer(name, printed);
  if (answer !== null && (answer.ok ? 0 : 1) === exit) return { ...answer, exit, output };
  if (exit === EXIT_BUSY) return none('BUSY');
  return none(EXIT_TIMED_OUT.includes(exit) ? 'TIMED_OUT' : 'NO_ANSWER');
}

/** A session writes only where its deployment lives. */
function requireInside(path: string, folder: string): void {
  const roots = [`${STACK_ROOT}/${folder}/`, `${STATE_ROOT}/${folder}/`];
  const plain = /^\/[A-Za-z0-9._/-]{1,300}$/.test(path) && !path.includes('//') && !/(^|\/)\.\.?(\/|$)/.test(path);
  if (!plain || !roots.some((root) => path.startsWith(root)))
    throw new RangeError(`not a path of this session: ${path}`);
}

/** Files under numbers, a list that says where they go, and the script that puts them there as root. */
function staged(files: readonly HostFile[], staging: string, place: string): HostFile[] {
  const list = files.map(({ path, mode }, index) => `${index} ${mode.toString(8)} ${path}\n`).join('');
  return [
    { path: `${staging}/`, content: '', mode: 0o700 },
    ...files.map(({ content }, index) => ({ path: `${staging}/${index}`, content, mode: 0o600 })),
    { path: `${staging}/list`, content: list, mode: 0o600 },
    { path: `${staging}/place.sh`, content: place, mode: 0o600 },
  ];
}

import { Clock, Log, Random } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import ssh2, { type Client, type ClientChannel } from 'ssh2';
import { commandOf, EXIT_TIMED_OUT, STACK_ROOT, STATE_ROOT, stateFolder, messageOf } from './command';
import { type Connection, openConnection } from './connection';
import { type Limits, within } from './deadline';
import { type Answer, type HostScriptName, STORED_ANSWERS, readAnswer, type ScriptArgs } from './host-scripts';
import { checkFoldersOf } from './check-folders';
import { boundedOutput } from './output';
import { HostScripts } from './scripts';
import { SshOptions } from './ssh-options';
import { Dialer, type HostFile, isFolder, type Ssh, SshError, type SshSession, type SshTarget } from './types';
import { sudoFailure } from './sudo';
import { openSftp, type Sftp } from './upload';

@Injectable()
export class SshClient implements Ssh {
  constructor(
    private readonly dialer: Dialer,
    private readonly scripts: HostScripts,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly log: Log,
    private readonly options: SshOptions,
  ) {}

  async connect(target: SshTarget): Promise<SshSession> {
    const { dialer, scripts, clock, random, log } = this;
    const connection = await openConnection(target, { dialer, clock, patience: this.options.patience });
    levelOf(target, log)('ssh connected', {
      address: target.address,
      user: target.user,
      host_fingerprint: connection.hostKey,
    });
    return new Session(connection, target, { scripts, clock, random, log });
  }
}

interface SessionParts {
  readonly scripts: HostScripts;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

class Session implements SshSession {
  readonly hostKey: string;
  private readonly isRoot: boolean;
  private readonly folder: string;
  private readonly runNumber: number;
  private readonly step: string | undefined;
  private root: Promise<Sudo> | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly target: SshTarget,
    private readonly parts: SessionParts,
  ) {
    const { place } = target;
    this.hostKey = connection.hostKey;
    this.isRoot = target.user === 'root';
    this.folder = place === 'check' ? checkFolder(target, parts.random) : place.ref;
    this.runNumber = place === 'check' ? 0 : place.run_number;
    this.step = place === 'check' ? undefined : place.step;
  }

  async upload(files: readonly HostFile[], limits: Limits): Promise<Answer<'place'>> {
    for (const { path } of files) requireInside(path, this.folder);
    return this.logged('upload', () =>
      this.guarded(limits, 'uploading', () =>
        this.transfer(files).then((from) => this.execute('place', { from }, limits.deadline_ms / 1_000)),
      ),
    );
  }

  run<Name extends HostScriptName>(name: Name, args: ScriptArgs[Name], limits: Limits): Promise<Answer<Name>> {
    return this.logged(name, () =>
      this.guarded(limits, name, () => this.execute(name, args, limits.deadline_ms / 1_000)),
    );
  }

  async close(): Promise<void> {
    this.connection.end();
  }

  /** Ends all operations on this connection when the connection ends. */
  private guarded<T>(limits: Limits, what: string, begin: () => Promise<T>): Promise<T> {
    const { connection } = this;
    const over = connection.over();
    if (over !== null) return Promise.reject(over);
    const work = begin();
    const orLost = Promise.race([work, connection.lost.then((error) => Promise.reject(error))]);
    work.catch(() => undefined);
    return within(this.parts.clock, limits, what, () => connection.end(), orLost);
  }

  /** Logs one line per command without its arguments and output. */
  private async logged<A extends Answer<HostScriptName>>(command: string, run: () => Promise<A>): Promise<A> {
    const { clock, log } = this.parts;
    const began = clock.localNow();
    const ended = (outcome: string): void =>
      levelOf(this.target, log)('ssh command', {
        command,
        folder: this.folder,
        run_step: this.step,
        outcome,
        ms: clock.localNow() - began,
      });
    try {
      const answer = await run();
      ended(answer.code);
      return answer;
    } catch (error) {
      ended(error instanceof SshError ? error.kind : 'failed');
      throw error;
    }
  }

  /**
   * Uploads files to a folder from which only a run of this number, if any, moves them into place. Returns its name.
   */
  private async transfer(files: readonly HostFile[]): Promise<string> {
    const sftp = await openSftp(this.connection.client);
    try {
      const mark = this.parts.random.bytes(8).toString('hex');
      const incoming = this.isRoot
        ? `${stateFolder(this.folder)}/incoming-${this.runNumber}`
        : `${await homeOf(sftp)}/.moorage-${mark}`;
      await sftp.folder(incoming, 0o700);
      for (const file of numbered(files, incoming)) await sftp.write(file, mark);
      return incoming;
    } finally {
      sftp.end();
    }
  }

  /**
   * Returns how the user becomes root. With a password it is tried once first, so that a wrong one is one failed login
   * and never three, after which some servers lock the user.
   */
  private becomeRoot(): Promise<Sudo> {
    return (this.root ??= this.tryPassword());
  }

  private async tryPassword(): Promise<Sudo> {
    const { client } = this.connection;
    const { sudoPassword: password = null } = this.target;
    const without = { prefix: 'sudo -n ', input: '' };
    if (password === null) return without;
    // Where no password is required, sudo would not read it.
    if ((await exec(client, 'sudo -k -n true', '')).exit === 0) return without;
    const tried = await exec(client, `env LC_ALL=C sudo -k -S -p '' true`, `${password}\n`);
    if (tried.exit !== 0) throw sudoFailure(tried.errors, this.target);
    return { prefix: `sudo -k -S -p '' `, input: `${password}\n` };
  }

  private async execute<Name extends HostScriptName>(
    name: Name,
    args: ScriptArgs[Name],
    seconds: number,
  ): Promise<Answer<Name>> {
    const { folder, runNumber, step, isRoot, target } = this;
    const asking = step !== undefined && STORED_ANSWERS.includes(name) ? { ...args, step } : args;
    const command = commandOf({ folder, name, runNumber, seconds, args: messageOf(asking) });
    const { prefix, input } = isRoot ? { prefix: '', input: '' } : await this.becomeRoot();
    const script = this.parts.scripts.of[name];
    const rawAnswer = await exec(this.connection.client, `${prefix}${command}`, `${input}${script}`);
    const isRefused = rawAnswer.exit !== 0 && rawAnswer.printed === '' && /(^|: )sudo:|^sudo: /m.test(rawAnswer.errors);
    if (!isRoot && isRefused) throw sudoFailure(rawAnswer.errors, target);
    return answerOf(name, rawAnswer);
  }
}

/** Sessions that only read a running deployment are repeated every few seconds or minutes, so theirs are debug lines. */
const levelOf = ({ place }: SshTarget, log: Log): Log['info'] =>
  place !== 'check' && place.run_number === 0 ? log.debug : log.info;

/** Returns a folder for this check only, because an interrupted check may still be running in its own. */
function checkFolder({ privateKey }: SshTarget, random: Random): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw new RangeError('not a private key');
  return checkFoldersOf(key.getPublicSSH()) + random.bytes(4).toString('hex');
}

/** Prefix of commands that run as root, and what sudo reads before the script. */
interface Sudo {
  readonly prefix: string;
  readonly input: string;
}

interface Said {
  readonly exit: number | 'unknown';
  readonly printed: string;
  readonly errors: string;
}

/** Returns the user's home folder, in which SFTP starts. */
async function homeOf(sftp: Sftp): Promise<string> {
  const start = await sftp.home();
  if (!/^\/[A-Za-z0-9._/-]{0,200}$/.test(start)) throw new SshError('files', 'the home folder has an unsupported name');
  return start.replace(/\/$/, '');
}

/** Resolves when the channel is closed, even without an exit code. */
function exec(client: Client, command: string, input: string): Promise<Said> {
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
      channel.end(input);
    });
  });
}

function answerOf<Name extends HostScriptName>(name: Name, { exit, printed, errors }: Said): Answer<Name> {
  const output = printed + errors;
  const none = (code: string): Answer<Name> => ({ ok: false, code, facts: null, exit, output });
  if (exit === 'unknown') return none('EXIT_UNKNOWN');
  const answer = readAnswer(name, printed);
  if (answer !== null && (answer.ok ? 0 : 1) === exit) return { ...answer, exit, output };
  return none(EXIT_TIMED_OUT.includes(exit) ? 'TIMED_OUT' : 'NO_ANSWER');
}

/** Restricts a session to the folders of its deployment. */
function requireInside(path: string, folder: string): void {
  const roots = [`${STACK_ROOT}/${folder}/`, `${STATE_ROOT}/${folder}/`];
  const plain = /^\/[A-Za-z0-9._/-]{1,300}$/.test(path) && !path.includes('//') && !/(^|\/)\.\.?(\/|$)/.test(path);
  if (!plain || !roots.some((root) => path.startsWith(root)))
    throw new RangeError(`not a path of this session: ${path}`);
}

/**
 * Names the files by number and adds a list of their paths. The list is written last, so it exists only if all files
 * do.
 */
function numbered(files: readonly HostFile[], incoming: string): HostFile[] {
  const list = files.map(({ path, mode }, index) => `${index} ${mode.toString(8)} ${path}\n`).join('');
  return [
    ...files.flatMap((file, index) =>
      isFolder(file) ? [] : [{ path: `${incoming}/${index}`, content: file.content, mode: 0o600 }],
    ),
    { path: `${incoming}/list`, content: list, mode: 0o600 },
  ];
}

import type { Socket } from 'node:net';
import ssh2 from 'ssh2';
import type { AuthContext, Connection } from 'ssh2';
import { parseCommand } from '../../ssh/command';
import type { SimulatedCopies } from './simulated-copies';
import { runScript } from './host-scripts';
import { AUTHORIZED_KEYS, type HostFile, type HostRow, type Hosts, type HostState } from './host-state';
import { serveSftp } from './sftp';

/**
 * Serves one connection to a simulated server as a real SSH server, with the current host key and authorized keys of
 * the machine. It runs only our fixed scripts by name.
 */
export function serveSsh(
  socket: Socket,
  host: HostRow,
  hosts: Hosts,
  outside: { readonly refusedNames: () => Promise<string[]>; readonly copies: SimulatedCopies | undefined },
): void {
  const server = new ssh2.Server({ hostKeys: [host.state.host_key], keepaliveInterval: 0 }, (client) => {
    client.on('error', () => socket.destroy());
    client.on('authentication', (context) => {
      admit(context).then(
        (admitted) => (admitted ? context.accept() : context.reject(['publickey'])),
        () => socket.destroy(),
      );
    });
    client.on('ready', () => onSessions(client));
  });
  server.on('error', () => socket.destroy());
  socket.setNoDelay(true);
  server.injectSocket(socket);

  async function admit(context: AuthContext): Promise<boolean> {
    if (context.method !== 'publickey' || context.username !== 'root') return false;
    const { key, signature, blob } = context;
    if (!host.isOwn || !hasNoKeys(host.state)) return isAuthorized(context, host.state);
    const line = `${key.algo} ${key.data.toString('base64')}`;
    // As if the owner had just run our script. Without a signature the client only asks whether the key would do.
    if (signature === undefined || blob === undefined) return true;
    return hosts.change(host.id, (state) => {
      const first = { ...state, files: { ...state.files, [AUTHORIZED_KEYS]: keysFile(line) } };
      if (!isAuthorized(context, hasNoKeys(state) ? first : state)) return false;
      if (hasNoKeys(state)) state.files[AUTHORIZED_KEYS] = keysFile(line);
      return true;
    });
  }

  function onSessions(client: Connection): void {
    client.on('session', (accept) => {
      const session = accept();
      session.on('sftp', (acceptSftp) => serveSftp(acceptSftp(), hosts, host.id));
      session.on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec();
        channel.on('error', () => socket.destroy());
        channel.resume();
        void answer(command).then(
          ({ text, exit }) => {
            channel.write(text);
            channel.exit(exit);
            channel.end();
          },
          // The machine disappeared during the command, so there is no exit code and no orderly close.
          () => socket.destroy(),
        );
      });
    });
  }

  async function answer(command: string): Promise<{ text: string; exit: number }> {
    const call = parseCommand(command);
    if (call === null) return { text: 'sh: not found\n', exit: 127 };
    const refused = await outside.refusedNames();
    const { copies } = outside;
    const now = hosts.now();
    const surroundings = copies === undefined ? { refused, now } : { refused, copies, now };
    if (call.name === 'container-logs') {
      // Only reads, and often.
      const machine = await hosts.find({ id: host.id });
      if (machine === null) throw new Error('the server is gone');
      const { line, exit } = runScript(machine.state, call, surroundings);
      return { text: `${JSON.stringify(line)}\n`, exit };
    }
    const { line, exit } = await hosts.change(host.id, (state) => runScript(state, call, surroundings));
    return { text: `${JSON.stringify(line)}\n`, exit };
  }
}

const authorizedKeys = ({ files }: HostState): string =>
  Buffer.from(files[AUTHORIZED_KEYS]?.data ?? '', 'base64').toString();

const hasNoKeys = (state: HostState): boolean => authorizedKeys(state).trim() === '';

const keysFile = (line: string): HostFile => ({ mode: 0o600, data: Buffer.from(`${line}\n`).toString('base64') });

function isAuthorized(context: AuthContext, state: HostState): boolean {
  if (context.method !== 'publickey' || context.username !== 'root') return false;
  return authorizedKeys(state)
    .split('\n')
    .some((line) => {
      const allowed = ssh2.utils.parseKey(line.trim());
      if (allowed instanceof Error) return false;
      if (context.key.algo !== allowed.type || !context.key.data.equals(allowed.getPublicSSH())) return false;
      if (context.signature === undefined || context.blob === undefined) return true;
      return allowed.verify(context.blob, context.signature, context.hashAlgo) === true;
    });
}

import ssh2 from 'ssh2';
import { stateFolder } from '../ssh/command';
import { type HostScriptName, readAnswer } from '../ssh/host-scripts';
import { checkFoldersOf, fingerprintOf } from '../ssh/keys';
import { type HostFile, isFolder, type Ssh, SshError, type SshSession, type SshTarget } from '../ssh/types';
import type { MemoryClouds } from './memory.cloud';
import { runScript, routerIsUp } from './sandbox/host-scripts';
import { AUTHORIZED_KEYS, type HostState, newHost } from './sandbox/host-state';

/** The machines behind the memory clouds, and users' own servers, without a network: for the simulated world. */
export interface MemoryHosts {
  readonly ssh: Ssh;
  /** A machine that is there; null when no living server has this address. */
  at(address: string): HostState | null;
  /** A user's own server. */
  addOwn(address: string, machine: { hostKey: string; authorized: readonly string[] }): HostState;
  /** Switched off: connections find nobody. */
  switchOff(address: string, off: boolean): void;
  /** The next `times` runs of this script lose their answer, done or not. */
  loseAnswer(name: HostScriptName, times: number, applied: boolean): void;
  routerIsUp(address: string): boolean;
}

export function createMemoryHosts({ clouds }: { clouds: MemoryClouds }): MemoryHosts {
  const machines = new Map<string, { serverId: string; state: HostState }>();
  const off = new Set<string>();
  const lost = new Map<HostScriptName, { times: number; applied: boolean }>();
  const OWN = 'own';

  function at(address: string): HostState | null {
    const known = machines.get(address);
    if (known?.serverId === OWN) return known.state;
    const server = clouds.living().find((living) => living.address === address && living.state === 'running');
    if (server === undefined) return null;
    if (known?.serverId === server.id) return known.state;
    const state = newHost(clouds.userDataOf(server.id));
    machines.set(address, { serverId: server.id, state });
    return state;
  }

  function reach(target: SshTarget): HostState {
    const state = off.has(target.address) ? null : at(target.address);
    if (state === null) throw new SshError('unreachable', 'nobody there');
    return state;
  }

  function logIn(target: SshTarget): { key: Buffer; hostKey: string } {
    const state = reach(target);
    const hostKey = fingerprintOfPrivate(state.host_key);
    if ('pinned' in target.hostKey) {
      if (!target.hostKey.pinned.includes(hostKey)) throw new SshError('host_key_changed', 'another key', hostKey);
    } else target.hostKey.pinOnFirstUse(hostKey);
    const mine = ssh2.utils.parseKey(target.privateKey);
    const allowed = Buffer.from(state.files[AUTHORIZED_KEYS]?.data ?? '', 'base64').toString();
    if (mine instanceof Error || !allowed.includes(mine.getPublicSSH().toString('base64'))) {
      throw new SshError('key_refused', 'the key is not known');
    }
    return { key: mine.getPublicSSH(), hostKey };
  }

  function sessionOf(target: SshTarget): SshSession {
    const { hostKey, key } = logIn(target);
    const folder = target.place === 'check' ? `${checkFoldersOf(key)}00000000` : target.place.ref;
    const runNumber = target.place === 'check' ? 0 : target.place.run_number;
    return {
      hostKey,
      run(name, args) {
        const state = reach(target);
        state.files[`${stateFolder(folder)}/scripts/${name}.sh`] = { mode: 0o700, data: '' };
        const losing = lost.get(name);
        const loses = losing !== undefined && losing.times > 0;
        if (loses) losing.times -= 1;
        if (loses && !losing.applied) return Promise.reject(new SshError('lost', 'cut before the command'));
        const words = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, String(value)]));
        const { line, exit } = runScript(
          state,
          { folder, name, runNumber, seconds: 60, args: words },
          { nocert: false },
        );
        if (loses) return Promise.reject(new SshError('lost', 'cut after the command'));
        const read = readAnswer(name, JSON.stringify(line));
        if (read === null) return Promise.reject(new Error(`the simulated ${name} gives no proper answer`));
        return Promise.resolve({ ...read, exit, output: '' });
      },
      upload(files: readonly HostFile[]) {
        const state = reach(target);
        for (const file of files) {
          if (isFolder(file)) state.files[file.path.slice(0, -1)] = { folder: true, mode: file.mode };
          else state.files[file.path] = { mode: file.mode, data: Buffer.from(file.content).toString('base64') };
        }
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
  }

  return {
    ssh: { connect: (target) => Promise.resolve().then(() => sessionOf(target)) },
    at,
    addOwn(address, { hostKey, authorized }) {
      const state = newHost(
        JSON.stringify({ ssh_keys: { ed25519_private: hostKey }, ssh_authorized_keys: authorized }),
      );
      machines.set(address, { serverId: OWN, state });
      return state;
    },
    switchOff: (address, isOff) => void (isOff ? off.add(address) : off.delete(address)),
    loseAnswer: (name, times, applied) => void lost.set(name, { times, applied }),
    routerIsUp: (address) => {
      const state = at(address);
      return state !== null && routerIsUp(state);
    },
  };
}

function fingerprintOfPrivate(key: string): string {
  const parsed = ssh2.utils.parseKey(key);
  return parsed instanceof Error ? '' : fingerprintOf(parsed.getPublicSSH());
}

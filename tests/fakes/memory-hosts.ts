import { type Clock, sshFingerprint } from '@moorage/server';
import ssh2 from 'ssh2';
import { type Answer, type HostScriptName, STORED_ANSWERS, readAnswer } from '@moorage/provisioner/ssh/host-scripts';
import type { SimulatedCopies } from '@moorage/provisioner/clouds/sandbox/simulated-copies';
import { checkFoldersOf } from '@moorage/provisioner/ssh/check-folders';
import { sudoFailure } from '@moorage/provisioner/ssh/sudo';
import { type HostFile, type Ssh, SshError, type SshSession, type SshTarget } from '@moorage/provisioner/ssh/types';
import { routerIsUp, type ScriptAnswer, workOf } from '@moorage/provisioner/clouds/sandbox/host-scripts';
import { AUTHORIZED_KEYS, type HostState, newHost } from '@moorage/provisioner/clouds/sandbox/host-state';
import { createHostActivity, type HostActivity } from './host-activity';
import type { MemoryClouds } from './memory-clouds';

/** Machines of the memory clouds, and users' own servers, without a network, for simulation tests. */
export interface MemoryHosts {
  readonly ssh: Ssh;
  /** Returns an existing machine, or null if no live server has this address. */
  at(address: string): HostState | null;
  /** Adds a user's own server. */
  addOwn(
    address: string,
    machine: {
      hostKey: string;
      authorized: readonly string[];
      /** The only user, with its password for sudo. By default root. */
      sudo?: { user: string; password: string };
    },
  ): HostState;
  /** Changes the password for sudo. */
  setSudo(address: string, sudo: { user: string; password: string }): void;
  /** Switches the machine off or on. While it is off, connections fail. */
  switchOff(address: string, off: boolean): void;
  /** Loses the response of the next `times` runs of this script, with or without effect. */
  loseAnswer(name: HostScriptName, times: number, applied: boolean): void;
  /**
   * Crashes the calling worker (through `dies`) at the next run of this script. The script continues for `ms`, then
   * completes.
   */
  outlive(name: HostScriptName, script: { readonly ms: number; readonly dies: () => void }): void;
  /** Reboots the machine, which ends its running scripts without effect. */
  reboot(address: string): void;
  /** Makes its disk full or writable. */
  fill(address: string, full: boolean): void;
  routerIsUp(address: string): boolean;
}

export function createMemoryHosts({
  clouds,
  clock,
  copies,
}: {
  clouds: MemoryClouds;
  clock: Pick<Clock, 'localNow'>;
  /** Store of their backups. */
  copies: SimulatedCopies;
}): MemoryHosts {
  const machines = new Map<string, { serverId: string; state: HostState }>();
  const off = new Set<string>();
  const lost = new Map<HostScriptName, { times: number; applied: boolean }>();
  const outliving = new Map<HostScriptName, { ms: number; dies: () => void }>();
  const activities = new Map<string, HostActivity>();
  const activityAt = (address: string): HostActivity => {
    const known = activities.get(address) ?? createHostActivity();
    activities.set(address, known);
    return known;
  };
  const sudoers = new Map<string, { user: string; password: string }>();
  const OWN = 'own';

  function at(address: string): HostState | null {
    const known = machines.get(address);
    if (known?.serverId === OWN) return known.state;
    const server = clouds.living().find((living) => living.address === address && living.state === 'running');
    if (server === undefined) return null;
    const same = [...machines.values()].find(({ serverId }) => serverId === server.id);
    if (same !== undefined) return same.state;
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
    if (target.user !== (sudoers.get(target.address)?.user ?? 'root'))
      throw new SshError('key_refused', 'the user is not known');
    return { key: mine.getPublicSSH(), hostKey };
  }

  function sessionOf(target: SshTarget): SshSession {
    const { hostKey, key } = logIn(target);
    const folder = target.place === 'check' ? `${checkFoldersOf(key)}00000000` : target.place.ref;
    const runNumber = target.place === 'check' ? 0 : target.place.run_number;
    const step = target.place === 'check' ? undefined : target.place.step;
    const activity = activityAt(target.address);
    const answered = <Name extends HostScriptName>(name: Name, { line, exit }: ScriptAnswer): Promise<Answer<Name>> => {
      const read = readAnswer(name, JSON.stringify(line));
      if (read === null) return Promise.reject(new Error(`the simulated ${name} returned no valid result`));
      return Promise.resolve({ ...read, exit, output: '' });
    };
    return {
      hostKey,
      run(name, args) {
        const state = reach(target);
        const password = sudoers.get(target.address)?.password ?? null;
        if (password !== null && target.sudoPassword !== password)
          return Promise.reject(sudoFailure('sudo: a password is required', target));
        const losing = lost.get(name);
        const loses = losing !== undefined && losing.times > 0;
        if (loses) losing.times -= 1;
        if (loses && !losing.applied) return Promise.reject(new SshError('lost', 'cut before the command'));
        const words = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, String(value)]));
        const asking = step !== undefined && STORED_ANSWERS.includes(name) ? { ...words, step } : words;
        const call = { folder, name, runNumber, seconds: 60, args: asking };
        const begun = activity.begin(state, call, clock.localNow());
        const outlives = outliving.get(name);
        if (outlives !== undefined && begun === null) {
          outliving.delete(name);
          const work = (): void => void workOf(state, call, { refused: [], copies, now: clock.localNow() });
          activity.goOn(folder, { until: clock.localNow() + outlives.ms, work });
          outlives.dies();
          return Promise.reject(new SshError('lost', 'the caller is gone'));
        }
        const answer = begun ?? workOf(state, call, { refused: [], copies, now: clock.localNow() });
        if (loses) return Promise.reject(new SshError('lost', 'cut after the command'));
        return answered(name, answer);
      },
      async upload(files: readonly HostFile[]) {
        const from = activity.transfer(reach(target), files, { folder, runNumber });
        return this.run('place', from, { deadline_ms: 1_000 });
      },
      close: () => Promise.resolve(),
    };
  }

  return {
    ssh: { connect: (target) => Promise.resolve().then(() => sessionOf(target)) },
    at,
    addOwn(address, { hostKey, authorized, sudo }) {
      if (sudo !== undefined) sudoers.set(address, sudo);
      const state = newHost(
        JSON.stringify({ ssh_keys: { ed25519_private: hostKey }, ssh_authorized_keys: authorized }),
      );
      machines.set(address, { serverId: OWN, state });
      return state;
    },
    setSudo: (address, sudo) => void sudoers.set(address, sudo),
    switchOff: (address, isOff) => void (isOff ? off.add(address) : off.delete(address)),
    loseAnswer: (name, times, applied) => void lost.set(name, { times, applied }),
    outlive: (name, script) => void outliving.set(name, script),
    reboot: (address) => activityAt(address).reboot(),
    fill: (address, full) => activityAt(address).fill(full),
    routerIsUp: (address) => {
      const state = at(address);
      return state !== null && routerIsUp(state);
    },
  };
}

function fingerprintOfPrivate(key: string): string {
  const parsed = ssh2.utils.parseKey(key);
  return parsed instanceof Error ? '' : sshFingerprint(parsed.getPublicSSH());
}

import { DAY_MS, HOUR_MS, type Instant, iso, SECOND_MS } from '@moorage/domain';
import type { HostAnswer } from '../../ssh/host-scripts';
import type { HostState } from './host-state';

const CPUS = 2;
const TICKS_PER_S = 100;
const MEMORY_MB = 3_915;
const SYSTEM_MB = 310;
const DISK_MB = 76_800;
const LOGS_MB = 40;
/** Average load, and how far it swings in each direction within two hours. */
const BUSY = 0.11;
const SWING = 0.05;
const PERIOD_S = (2 * HOUR_MS) / SECOND_MS;

/** A figure between 0 and 1 that is always the same for a name. */
const shareOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) / 997;

/**
 * Invents the figures of a simulated server from its name and the time. The marks `disk_percent`, `reboot_required` (a
 * time), `restarts:{service}` and `state:{service}` override them.
 */
export function hostFacts(state: HostState, { project, now }: { project: string; now: Instant }): HostAnswer {
  const booted = Number((state.marks[`booted:${project}`] ??= String(now)));
  const uptime_s = Math.max(0, Math.floor((now - booted) / SECOND_MS));
  const containers = Object.entries(state.projects[project]?.services ?? {}).map(([name, running]) => {
    const isRunning = running === 'running';
    return {
      name,
      state: state.marks[`state:${name}`] ?? (isRunning ? 'running' : 'exited'),
      health: isRunning ? ('healthy' as const) : ('none' as const),
      restarts: Number(state.marks[`restarts:${name}`] ?? 0),
      exit_code: isRunning ? 0 : 137,
      stays: true,
      started_at: iso(booted),
      memory_mb: isRunning ? 40 + Math.round(300 * shareOf(name)) : null,
    };
  });
  const phase = (2 * Math.PI * uptime_s) / PERIOD_S;
  // The integral of the load, so that the difference of two readings is the load between them.
  const busy_s = BUSY * uptime_s + ((SWING * PERIOD_S) / (2 * Math.PI)) * (1 - Math.cos(phase));
  const used = SYSTEM_MB + containers.reduce((sum, { memory_mb }) => sum + (memory_mb ?? 0), 0);
  const since = state.marks.reboot_required;
  const percent = state.marks.disk_percent;
  const grown = 18_400 + Math.round(180 * ((now - booted) / DAY_MS));
  return {
    cpus: CPUS,
    cpu_total: uptime_s * TICKS_PER_S * CPUS,
    cpu_idle: Math.floor((uptime_s - busy_s) * TICKS_PER_S * CPUS),
    load: Math.round(100 * CPUS * (BUSY + SWING * Math.sin(phase))) / 100,
    memory_mb: MEMORY_MB,
    memory_used_mb: Math.min(MEMORY_MB, used + Math.round(60 * (1 + Math.sin(phase / 3)))),
    disk_mb: DISK_MB,
    disk_used_mb: percent === undefined ? Math.min(DISK_MB, grown) : Math.round((DISK_MB * Number(percent)) / 100),
    logs_mb: LOGS_MB,
    uptime_s,
    reboot: since === undefined ? null : { since, packages: ['linux-image-cloud-amd64'] },
    containers,
  };
}

import { describe, expect, it } from '@jest/globals';
import { instant, MINUTE_MS } from '../time';
import { remedyMessage, incidentMessage } from './incident-texts';
import {
  afterJudging,
  afterStopping,
  ALARMS,
  byImportance,
  type Finding,
  type Incident,
  type IncidentChange,
  INCIDENT_KINDS,
  INCIDENT_RULES,
  type IncidentKind,
  isRepeated,
  type Judged,
  type Streaks,
  worstKind,
} from './incidents';

const AT = instant('2026-12-01T12:00:00Z');
const wrong = (kind: IncidentKind, subject = '', facts: Finding['facts'] = {}): Finding => ({ kind, subject, facts });
const bad = (kind: IncidentKind, facts: Finding['facts'] = {}): Judged => ({
  kinds: [kind],
  findings: [wrong(kind, '', facts)],
});
const good = (...kinds: readonly IncidentKind[]): Judged => ({ kinds, findings: [] });

/** A deployment that is checked every minute, and stores incidents as the provisioner does. */
function deployment() {
  let streaks: Streaks = {};
  let incidents: Incident[] = [];
  let at = AT;
  const told: string[] = [];
  const log: string[] = [];

  function apply(change: IncidentChange): void {
    log.push(change.change);
    if (change.change === 'began') {
      const { finding, began_at, is_told } = change;
      if (is_told) told.push(`begin ${finding.kind}`);
      incidents.push({ ...finding, id: log.length, began_at, ended_at: null, told_at: is_told ? at : null });
      return;
    }
    const { incident } = change;
    const others = incidents.filter((one) => one !== incident);
    if (change.change === 'settled') {
      if (incident.told_at !== null) told.push(`end ${incident.kind}`);
      incidents = others;
      return;
    }
    if (change.change === 'told') told.push(`begin ${incident.kind}`);
    incidents = [
      ...others,
      {
        ...incident,
        ...(change.change === 'told' ? { told_at: at } : {}),
        ...(change.change === 'ended' ? { ended_at: change.ended_at } : {}),
        ...(change.change === 'returned' ? { ended_at: null } : {}),
        ...('finding' in change ? { facts: change.finding.facts } : {}),
      },
    ];
  }

  return {
    told,
    log,
    now: () => at,
    open: () => incidents.filter(({ ended_at }) => ended_at === null).map(({ kind }) => kind),
    known: () => incidents,
    check(...judgements: readonly Judged[]): void {
      for (const judged of judgements) {
        const after = afterJudging({ streaks, incidents }, judged, at);
        streaks = after.streaks;
        for (const change of after.changes) apply(change);
        at += MINUTE_MS;
      }
    },
    streaks: () => streaks,
  };
}

describe('incident', () => {
  it.each(INCIDENT_KINDS)('%s begins with the second failure and ends with the second success', (kind) => {
    const one = deployment();
    one.check(bad(kind));
    expect(one.open()).toEqual([]);
    one.check(bad(kind));
    expect(one.open()).toEqual([kind]);
    expect(one.known()[0]).toMatchObject({ began_at: AT });
    one.check(good(kind));
    expect(one.open()).toEqual([kind]);
    one.check(good(kind));
    expect(one.open()).toEqual([]);
    expect(one.known()[0]).toMatchObject({ ended_at: AT + 2 * MINUTE_MS });
    expect(one.streaks()).toEqual({});
  });

  it('does not begin with failures that are not in a row', () => {
    const one = deployment();
    for (let round = 0; round < 5; round++) one.check(bad('down'), good('down'));
    expect(one.log).toEqual([]);
    expect(one.streaks()).toEqual({});
  });

  it('does not end with successes that are not in a row', () => {
    const one = deployment();
    one.check(bad('down'), bad('down'), good('down'), bad('down'), good('down'));
    expect(one.open()).toEqual(['down']);
  });

  it('stays as it is in checks that cannot judge it', () => {
    const one = deployment();
    one.check(bad('disk_full'), good('down'), bad('disk_full'), good('down'), good('down'));
    expect(one.open()).toEqual(['disk_full']);
  });

  it('is counted per container', () => {
    const one = deployment();
    const stopped = (name: string): Judged => ({
      kinds: ['container_stopped'],
      findings: [wrong('container_stopped', name)],
    });
    one.check(stopped('web'), stopped('worker'), stopped('worker'));
    expect(one.known().map(({ subject }) => subject)).toEqual(['worker']);
  });

  it('goes on with new facts', () => {
    const one = deployment();
    one.check(bad('disk_full', { percent: 90 }), bad('disk_full', { percent: 91 }), bad('disk_full', { percent: 95 }));
    expect(one.known().map(({ facts }) => facts)).toEqual([{ percent: 95 }]);
  });

  it('does not flood the table', () => {
    const one = deployment();
    const many: Judged = {
      kinds: ['container_stopped'],
      findings: Array.from({ length: 50 }, (_, index) => wrong('container_stopped', `job-${index}`)),
    };
    one.check(many, many, many);
    expect(one.known()).toHaveLength(30);
    one.check(bad('down'), bad('down'));
    expect(one.open()).toContain('down');
  });
});

describe('emails about incidents', () => {
  it('are two for a host that goes up and down for hours', () => {
    const one = deployment();
    for (let round = 0; round < 100; round++)
      one.check(bad('down'), bad('down'), bad('down'), good('down'), good('down'));
    for (let minute = 0; minute < 20; minute++) one.check(good('down'));
    expect(one.told).toEqual(['begin down', 'end down']);
  });

  it('follow at once, except for kinds that often end by themselves', () => {
    const one = deployment();
    one.check(bad('disk_full'), bad('disk_full'));
    expect(one.told).toEqual(['begin disk_full']);
    const other = deployment();
    other.check(bad('slow'), bad('slow'), good('slow'), good('slow'));
    for (let minute = 0; minute < 20; minute++) other.check(good('slow'));
    expect(other.told).toEqual([]);
    expect(other.known()).toEqual([]);
  });

  it('report the end once it has lasted for a quarter of an hour', () => {
    const one = deployment();
    one.check(bad('disk_full'), bad('disk_full'), good('disk_full'), good('disk_full'));
    for (let minute = 0; minute < 13; minute++) one.check(good('disk_full'));
    expect(one.told).toEqual(['begin disk_full']);
    one.check(good('disk_full'));
    expect(one.told).toEqual(['begin disk_full', 'end disk_full']);
  });

  it('name a server that is switched off and not what follows from it', () => {
    const one = deployment();
    one.check(bad('down'), bad('server_off'), bad('down'), bad('server_off'), bad('down'), bad('down'), bad('down'));
    expect(one.open().sort(byKind)).toEqual(['server_off', 'down']);
    expect(one.told).toEqual(['begin server_off']);
  });

  it('do not report an outage that is shorter than the time after which it is reported', () => {
    const one = deployment();
    one.check(bad('down'), bad('down'), bad('down'), good('down'), good('down'));
    for (let minute = 0; minute < 20; minute++) one.check(good('down'));
    expect(one.told).toEqual([]);
  });

  it('do not report what a server that was switched off explained, unless it is found again afterwards', () => {
    const one = deployment();
    const off = [bad('down'), bad('server_off'), bad('down'), bad('server_off'), bad('down')] as const;
    one.check(...off, good('server_off'), good('server_off'), good('down'), good('down'));
    expect(one.told).toEqual(['begin server_off']);
    const other = deployment();
    other.check(...off, good('server_off'), good('server_off'), bad('down'));
    expect(other.told).toEqual(['begin server_off']);
    other.check(bad('down'), bad('down'));
    expect(other.told).toEqual(['begin server_off', 'begin down']);
  });

  it('do not report a disk that has become emptier as another problem, unless it stays like that', () => {
    const one = deployment();
    const kinds = ['disk_filling', 'disk_full'] as const;
    const full: Judged = { kinds, findings: kinds.map((kind) => wrong(kind)) };
    const filling: Judged = { kinds, findings: [wrong('disk_filling')] };
    one.check(full, full, filling, filling, filling);
    expect(one.told).toEqual(['begin disk_full']);
    for (let minute = 0; minute < 13; minute++) one.check(filling);
    expect(one.told).toEqual(['begin disk_full', 'begin disk_filling', 'end disk_full']);
  });

  it('name a full disk once', () => {
    const one = deployment();
    const full: Judged = {
      kinds: ['disk_filling', 'disk_full'],
      findings: [wrong('disk_filling'), wrong('disk_full')],
    };
    one.check(full, full, full);
    expect(one.told).toEqual(['begin disk_full']);
  });
});

const byKind = (a: IncidentKind, b: IncidentKind): number => byImportance({ kind: a }, { kind: b });

describe('open incidents of a deployment', () => {
  it.each<[readonly IncidentKind[], IncidentKind | null]>([
    [[], null],
    [['slow', 'disk_full'], 'disk_full'],
    [['down', 'server_off', 'server_gone'], 'server_gone'],
    [['slow', 'disk_filling'], 'disk_filling'],
  ])('%p have the worst kind %p', (kinds, worst) => {
    expect(worstKind(kinds)).toBe(worst);
  });

  it('contain no alarm that only a warning explains', () => {
    expect(ALARMS.flatMap((kind) => INCIDENT_RULES[kind].explained_by).filter((by) => !ALARMS.includes(by))).toEqual(
      [],
    );
  });

  it('state a full disk once', () => {
    expect(isRepeated({ kind: 'disk_filling' }, [{ kind: 'disk_full' }])).toBe(true);
    expect(isRepeated({ kind: 'disk_filling' }, [{ kind: 'disk_filling' }])).toBe(false);
    expect(isRepeated({ kind: 'down' }, [{ kind: 'server_off' }])).toBe(false);
  });
});

describe('stopped deployment', () => {
  it('ends its incidents without an email, except about ends from before', () => {
    const open: Incident = {
      id: 7,
      kind: 'down',
      subject: '',
      facts: {},
      began_at: AT,
      ended_at: null,
      told_at: AT,
    };
    expect(afterStopping([open], AT + MINUTE_MS)).toEqual([
      { change: 'ended', incident: open, ended_at: AT + MINUTE_MS },
      { change: 'settled', incident: { ...open, ended_at: AT + MINUTE_MS, told_at: null } },
    ]);
    const ended = { ...open, ended_at: AT };
    expect(afterStopping([ended], AT + MINUTE_MS)).toEqual([{ change: 'settled', incident: ended }]);
  });
});

describe('texts of incidents', () => {
  it.each(INCIDENT_KINDS)('%s has a sentence and a remedy', (kind) => {
    const facts = { provider: 'hetzner', host: 'example.com', days: 4, percent: 91, container: 'web', seconds: 5 };
    const [ongoing, past] = [null, AT].map((ended_at) => incidentMessage({ kind, facts, ended_at }));
    expect(past).not.toEqual(ongoing);
    const texts = [ongoing, past, remedyMessage({ kind, facts })].map((message) => message?.detail);
    for (const text of texts) expect(text).toMatch(/^[^{}]+\.$/);
    expect(INCIDENT_RULES[kind].explained_by).not.toContain(kind);
  });

  it('never ask the owner to set records that the platform keeps', () => {
    const facts = { host: 'shop.apps.example.com', kept: 1 };
    const remedies = (['dns_elsewhere', 'certificate_expired'] as const).map((kind) => remedyMessage({ kind, facts }));
    expect(remedies.map(({ code }) => code)).toEqual(['remedies.dns_kept', 'remedies.certificate_kept']);
  });

  it('say who switched a server off, if the provider says it', () => {
    const facts = { provider: 'aws', by: 'itself' };
    expect(incidentMessage({ kind: 'server_off', facts, ended_at: null }).detail).toBe(
      'The server was shut down from within. AWS keeps it switched off.',
    );
  });
});

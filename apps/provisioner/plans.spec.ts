import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { DAY_MS, MINUTE_MS } from '@moorage/domain';
import { GROWN_ROWS, openGrown, recordStatements, type Statement, wholeReads } from '@moorage/testing';
import { fixturesOfSuite, reconcile, turn, USER } from '@moorage/tests/services/provisioner';

const ADDRESS = '8.8.4.4';
/** A provider with only a few of the running servers in the large dataset. */
const PROVIDER = 'digitalocean';

describe(`query plans with ${GROWN_ROWS} rows in every table`, () => {
  const openFixture = fixturesOfSuite();
  let grown: Awaited<ReturnType<typeof openGrown>>;
  let statements: Statement[];

  /**
   * Records complete lifecycles of deployments on our servers and on a user's server, with the recovery sweeps and the
   * reconciliations.
   */
  async function statementsOfProvisioner(): Promise<Statement[]> {
    const fixture = await openFixture();
    const actor = await fixture.actor();
    const user = sshKeyPair(systemRandom());
    fixture.hosts.addOwn(ADDRESS, {
      hostKey: sshKeyPair(systemRandom()).privateKey,
      authorized: [`${user.publicKey} moorage-user-1`],
    });
    await fixture.owner.tx('keys', async (tx) => {
      await actor.secrets.put(tx, `user:${USER}`, 'ssh_private_key', user.privateKey);
      await actor.secrets.put(tx, `user:${USER}`, 'ssh_public_key', `${user.publicKey} moorage-user-1`);
    });
    const recording = recordStatements();
    try {
      const ours = await fixture.order({ provider: PROVIDER, support_level: 2 });
      await actor.provisioner.recovery.run();
      await fixture.until(actor, ours, 'READY');
      await fixture.requestCheck(ADDRESS);
      while (await turn(actor));
      const own = await fixture.order({ server_type: 'vps', address: ADDRESS, domain: 'own.example.com' });
      await fixture.until(actor, own, 'READY');
      await fixture.request(ours, 'restart');
      await fixture.until(actor, ours, 'READY');
      const backup = await fixture.backUp(ours);
      await fixture.settle(actor, MINUTE_MS);
      await fixture.restore(ours, backup ?? 0);
      await fixture.until(actor, ours, 'READY');
      await fixture.undoRestore(ours);
      await fixture.until(actor, ours, 'READY');
      fixture.clock.at += DAY_MS;
      await actor.provisioner.backups.adopt();
      await actor.provisioner.backups.run();
      await fixture.settle(actor, MINUTE_MS);
      const target = await fixture.moveTo(ours, { provider: PROVIDER, domain: 'moved.example.com' });
      await fixture.until(actor, target, 'READY');
      fixture.dnsRight = () => false;
      const late = await fixture.order({ provider: PROVIDER, domain: 'late.example.com' });
      await fixture.until(actor, late, 'DNS_FAILED');
      await actor.provisioner.recovery.run();
      await actor.provisioner.reachability.run();
      for (let comparison = 0; comparison < 8; comparison++) {
        await reconcile(actor);
        fixture.clock.at += 11 * 60_000;
      }
      for (const id of [ours, target, own, late]) {
        await fixture.request(id, 'delete');
        await fixture.until(actor, id, 'DESTROYED');
      }
      fixture.clock.at += 31 * DAY_MS;
      await actor.provisioner.backups.run();
      await fixture.settle(actor, MINUTE_MS);
      await actor.provisioner.recovery.run();
      await actor.messaging.sweepTick();
    } finally {
      recording.stop();
    }
    return recording.statements();
  }

  beforeAll(async () => {
    statements = await statementsOfProvisioner();
    grown = await openGrown();
  }, 900_000);
  afterAll(() => grown.end());

  it.each([
    ['a claim of work', "nextval('work_fencing_tokens')"],
    ['the search for deployments that need a run', "d.status = 'DNS_FAILED' and not exists"],
    ['the comparison with a provider', 'provider_server_id'],
    ['a step of the timeline', 'insert into deployment_steps'],
    ['the selection of deployments to check', 'from reachability where due_at'],
    ['the result of a reachability check', 'UPDATE "reachability"'],
    ['the removal of old checks', 'delete from vps_checks'],
    ['the selection of due backups', 'r.due_at <= $1'],
    ['the maintenance of copies', 'tend_at <= $1'],
    ['the search for outdated backups', 'greatest(r.copied_at, r.created_at)'],
  ])('%s is among the checked queries', (_, part) => {
    expect(statements.some(({ text }) => text.includes(part))).toBe(true);
  });

  it('never scan a whole table in the provisioner', async () => {
    expect(statements.length).toBeGreaterThan(60);
    expect(await wholeReads(grown, statements, { rows_min: 10_000 })).toEqual([]);
  });
});

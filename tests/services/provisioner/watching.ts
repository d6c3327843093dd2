import { Alerts, Deployments } from '@moorage/database';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import type { Clock, Db, Log, Random, Secrets } from '@moorage/server';
import { CertificateChecks } from '@moorage/provisioner/certificates/certificate-checks.service';
import { TlsCertificateCheck } from '@moorage/provisioner/certificates/tls-certificate-check.service';
import { DnsChecks } from '@moorage/provisioner/dns/dns-checks.service';
import { SystemResolverClient } from '@moorage/provisioner/dns/dns-resolver-client';
import { ResolverDnsCheck } from '@moorage/provisioner/dns/resolver-dns-check.service';
import { Incidents } from '@moorage/provisioner/incidents/incidents.service';
import { ServerSessions } from '@moorage/provisioner/servers/server-sessions.service';
import { PATIENCE } from '@moorage/provisioner/ssh/connection';
import { readHostScripts } from '@moorage/provisioner/ssh/scripts';
import { SshClient } from '@moorage/provisioner/ssh/ssh-client.service';
import type { Dialer } from '@moorage/provisioner/ssh/types';
import { readPackages } from '@moorage/provisioner/stacks/packages';
import { StackService } from '@moorage/provisioner/stacks/stack.service';
import { HostChecks } from '@moorage/provisioner/watch/host-checks.service';
import { NameChecks } from '@moorage/provisioner/watch/name-checks.service';
import { ResponseCheck } from '@moorage/provisioner/watch/response-check.service';
import { ResponseChecks } from '@moorage/provisioner/watch/response-checks.service';
import { OPTIONS } from './build-provisioner';
import { dnsServer } from '../../fakes/dns-server';

export { dnsServer };

/** Builds the checks of running deployments by hand, in the same way as Nest builds `WatchModule`, for the benchmark. */
export async function buildWatching({
  db,
  clock,
  random,
  log,
  secrets,
  dialer,
  resolvers,
  trustAnchors,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Connection to every server. */
  readonly dialer: Dialer;
  readonly resolvers: readonly string[];
  /** PEM of the authority of all certificates. */
  readonly trustAnchors: string;
}): Promise<{ responses: ResponseChecks; hosts: HostChecks; names: NameChecks }> {
  const outbox = new Outbox({ clock, random });
  const deployments = new Deployments({ outbox });
  const work = new WorkSchedule({ clock });
  const alerts = new Alerts({ clock, log });
  const stacks = new StackService(db, random, secrets, await readPackages('infra/packages'), OPTIONS);
  const scripts = await readHostScripts('infra/host');
  const ssh = new SshClient(dialer, scripts, clock, random, log, { patience: PATIENCE });
  const sessions = new ServerSessions(db, ssh, secrets, OPTIONS);
  const newClient = (): SystemResolverClient => new SystemResolverClient();
  const dns = new ResolverDnsCheck(random, { resolvers, authority: null, sandbox: null, newClient });
  const tls = new TlsCertificateCheck(dialer, clock, { trustAnchors, sandboxAnchors: null });
  const incidents = new Incidents(outbox);
  const check = new ResponseCheck(dialer, clock, OPTIONS);
  return {
    responses: new ResponseChecks(db, clock, deployments, outbox, work, check, incidents, alerts, log),
    hosts: new HostChecks(db, clock, deployments, sessions, incidents, log),
    names: new NameChecks(
      db,
      clock,
      deployments,
      new CertificateChecks(tls, stacks),
      new DnsChecks(dns, stacks),
      incidents,
      log,
    ),
  };
}

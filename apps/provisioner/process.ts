import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { openService, sealKeys, type Settings } from '@moorage/runtime';
import { createSealBox, createSecrets, type Log, type Running } from '@moorage/server';
import { createCertificateCheck } from './certificates';
import { createSandbox, notConfiguredClouds } from './clouds';
import { createDnsCheck } from './dns';
import { createProvisioner, SWEEP_EVERY_MS } from './provisioner';
import { LIVE_TIMEOUTS, SANDBOX_TIMEOUTS } from './runs/step-timeouts';
import { createSsh, dialDirectly, readHostScripts } from './ssh';
import { readPackages } from './stacks/packages';

/** Whom a CAA record must allow, unless another authority issues. */
const CAA_AUTHORITY = 'letsencrypt.org';

/** The provisioner as a process, or as a part of the all-in-one. */
export async function startProvisioner({
  settings,
  databaseUrl,
  log,
  relays = true,
}: {
  settings: Settings;
  databaseUrl: string;
  log: Log;
  relays?: boolean;
}): Promise<Running> {
  const base = await openService({ service: 'provisioner', settings, databaseUrl, log, relays });
  const { db, clock, random, outbox, work, deployments } = base;
  const sandbox = createSandbox({ db, clock });
  const simulated = settings.CLOUD_MODE === 'sandbox';
  const dial = simulated ? sandbox.dial : dialDirectly;
  const close = async (): Promise<void> => {
    await sandbox.close();
    await base.close();
  };
  try {
    const anchors =
      settings.CERTIFICATE_CA_FILE === undefined ? null : await readFile(settings.CERTIFICATE_CA_FILE, 'utf8');
    const provisioner = createProvisioner({
      db,
      clock,
      random,
      outbox,
      work,
      deployments,
      secrets: createSecrets({ box: createSealBox({ keys: await sealKeys(settings, random), random }), clock }),
      clouds: simulated ? sandbox.clouds : notConfiguredClouds(),
      ssh: createSsh({
        dial,
        scripts: await readHostScripts(settings.HOST_SCRIPTS_DIR),
        clock,
        random,
        log: base.log,
      }),
      dns: createDnsCheck({
        resolvers: settings.DNS_RESOLVERS ?? null,
        authority: anchors === null ? CAA_AUTHORITY : null,
        sandbox: simulated ? async (host) => ({ a: await sandbox.names.resolve(host), aaaa: [] }) : null,
        random,
      }),
      certificates: createCertificateCheck({
        dial,
        trustAnchors: anchors,
        sandboxAnchors: simulated ? () => sandbox.authority.certificate() : null,
        now: () => clock.wall(),
      }),
      packages: await readPackages(settings.PACKAGES_DIR),
      timeouts: simulated ? SANDBOX_TIMEOUTS : LIVE_TIMEOUTS,
      settings: {
        vpsAllowedCidrs: settings.VPS_ALLOWED_CIDRS ?? [],
        vpsSshPort: settings.VPS_SSH_PORT,
        acmeDirectoryUrl: settings.ACME_DIRECTORY_URL,
        traefikPlugins: settings.TRAEFIK_PLUGINS,
      },
      log: base.log,
    });
    await base.startMessaging({ handlers: provisioner.handlers, work: provisioner.work });
    const stopSweep = clock.every(SWEEP_EVERY_MS, provisioner.sweep, (error) =>
      base.log.error('the sweep goes on after an error', { error }),
    );
    return {
      async stop() {
        await stopSweep();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

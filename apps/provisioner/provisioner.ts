import { CHECK_VPS_WORK, DNS_LOOK_WORK, RUN_WORK, SSH_PUBLIC_KEY, userSecrets } from '@moorage/contracts';
import { createAlerts, type Deployments } from '@moorage/database';
import type { Cidr } from '@moorage/domain';
import type { Outbox, WorkKind, WorkSchedule } from '@moorage/messaging';
import { type ProductEventHandlers } from '@moorage/runtime';
import type { Clock, Db, Log, Random, Secrets } from '@moorage/server';
import type { CertificateCheck } from './certificates/types';
import type { Clouds } from './clouds/cloud';
import type { DnsCheck } from './dns/types';
import { createEndings } from './runs/endings';
import { createRunHandlers } from './runs/handlers';
import type { StepTimeouts } from './runs/step-timeouts';
import { startCheckRun } from './runs/run-store';
import { createSweep } from './runs/sweep';
import { createWalker } from './runs/walker';
import { createLookAtDns } from './servers/look-at-dns';
import { createProviderTrust } from './servers/provider-trust';
import { createReach } from './servers/reach';
import { createReconcileServers, RECONCILE_WORK } from './servers/reconcile-servers';
import type { Ssh } from './ssh/types';
import type { Packages } from './stacks/types';
import { createBootstrapStep } from './steps/bootstrap.step';
import { createCheckVps } from './steps/check-vps.step';
import { createCreateServerStep } from './steps/create-server.step';
import { withCustomerAccess } from './steps/customer-access';
import { createDeleteServerStep } from './steps/delete-server.step';
import { createIssueCertificateStep } from './steps/issue-certificate.step';
import { createConfirmOwnStep, createRemoveStackStep } from './steps/remove.steps';
import { createStack } from './steps/stack';
import {
  createCheckHealthStep,
  createPreflightStep,
  createRestartStackStep,
  createStartStackStep,
  createUploadStackStep,
} from './steps/stack-steps';
import { createDnsLooks, createValidateDnsStep } from './steps/validate-dns.step';
import { createWaitForSshStep } from './steps/wait-for-ssh.step';

export interface ProvisionerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly outbox: Outbox;
  readonly work: WorkSchedule;
  readonly deployments: Deployments;
  readonly secrets: Secrets;
  readonly clouds: Clouds;
  readonly ssh: Ssh;
  readonly dns: DnsCheck;
  readonly certificates: CertificateCheck;
  readonly packages: Packages;
  readonly timeouts: StepTimeouts;
  readonly settings: {
    readonly vpsAllowedCidrs: readonly Cidr[];
    readonly vpsSshPort: number;
    readonly acmeDirectoryUrl: string;
    readonly traefikPlugins: 'on' | 'off';
  };
  readonly log: Log;
  /** Steps at a time in this process. Default 5. */
  readonly concurrency?: number;
}

/** What messaging drives: event handlers, work by kind, and one tick that looks at the rows alone. */
export interface Provisioner {
  readonly handlers: ProductEventHandlers;
  readonly work: Readonly<Record<string, WorkKind>>;
  /** Every minute: what events should have started, from the rows. */
  sweep(): Promise<void>;
}

export const SWEEP_EVERY_MS = 60_000;
const CONCURRENCY = 5;

export function createProvisioner(options: ProvisionerOptions): Provisioner {
  const { db, clock, random, outbox, work, deployments, secrets, clouds, ssh, timeouts, settings, log } = options;
  const { concurrency = CONCURRENCY } = options;
  const { vpsAllowedCidrs, vpsSshPort } = settings;

  const endings = createEndings({ deployments, work, secrets });
  const reach = createReach({ db, ssh, secrets, vpsAllowedCidrs });
  const stack = createStack({ db, random, secrets, packages: options.packages, ...settings });
  const looks = createDnsLooks({ dns: options.dns, stack });
  const stackTools = { reach, stack, timeouts, clock };
  const userPublicKey = (userId: number): Promise<string | null> =>
    db.tx('user.public-key', (tx) => secrets.get(tx, userSecrets(userId), SSH_PUBLIC_KEY));
  const removeTools = { db, reach, timeouts, userPublicKey };
  const alerts = createAlerts({ clock, log });
  const trust = createProviderTrust({ db, clock, outbox, alerts, log });
  const deleteServer = createDeleteServerStep({ db, clouds, trust, timeouts });
  const confirmOwn = createConfirmOwnStep(removeTools);

  const checkVps = createCheckVps({ db, clock, ssh, secrets, timeouts, vpsAllowedCidrs, vpsSshPort });

  const walker = createWalker({
    db,
    clock,
    random,
    deployments,
    outbox,
    endings,
    checkVps,
    timeouts,
    log,
    steps: {
      'create-server': createCreateServerStep({ db, clock, random, clouds, trust, secrets, timeouts, log }),
      'wait-for-ssh': createWaitForSshStep({ db, clock, reach, timeouts, vpsSshPort }),
      preflight: createPreflightStep(stackTools),
      bootstrap: createBootstrapStep({ db, reach, stack }),
      'upload-stack': createUploadStackStep(stackTools),
      'start-stack': createStartStackStep(stackTools),
      'restart-stack': createRestartStackStep(stackTools),
      'check-health': withCustomerAccess(createCheckHealthStep(stackTools), { reach }),
      'validate-dns': createValidateDnsStep({ looks, timeouts }),
      'issue-certificate': createIssueCertificateStep({ reach, stack, certificates: options.certificates, timeouts }),
      finish: withCustomerAccess(() => Promise.resolve({ done: true }), { reach }),
      'remove-stack': createRemoveStackStep(removeTools),
      'delete-server': deleteServer,
      // what must be absent is looked for once more, after whatever came late
      confirm: (context, signal) =>
        context.deployment.server_type === 'new' ? deleteServer(context, signal) : confirmOwn(context, signal),
    },
  });
  const reconcile = createReconcileServers({ db, clock, clouds, deployments, trust, alerts, timeouts, log });
  const lookAtDns = createLookAtDns({ db, clock, deployments, looks, work, timeouts });

  return {
    handlers: createRunHandlers({ clock, deployments, endings }),
    work: {
      [RUN_WORK]: { concurrency, run: walker.walk },
      [CHECK_VPS_WORK]: {
        concurrency: 2,
        run: (claim) =>
          Promise.resolve({
            done: true,
            commit: async (tx) => startCheckRun(tx, work, { checkId: Number(claim.key), at: await clock.now(tx) }),
          }),
      },
      [DNS_LOOK_WORK]: { concurrency: 2, run: lookAtDns },
      [RECONCILE_WORK]: { concurrency: 1, run: (claim, signal) => reconcile(claim.key, signal) },
    },
    sweep: createSweep({ db, clock, deployments, endings, work }),
  };
}

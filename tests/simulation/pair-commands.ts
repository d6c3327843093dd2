import { Money } from '@moorage/domain';
import type { Actors } from './pair-actors';
import type { PaidBefore } from './stripe';

/**
 * A command that may run concurrently with others. Each is a single action of a user or process on one deployment or
 * its account.
 */
export interface Command {
  readonly name: string;
  /** Starts its actors, which run only when the test lets them. */
  readonly start: (on: Scene) => void;
}

/** Objects that commands act on. */
export interface Scene extends Actors {
  /** Deployment on which both commands act. */
  readonly subject: number;
  /** Checkout session of the account that waits for payment. */
  readonly session: string;
  /** First payment of the account. */
  readonly payment: PaidBefore;
  /** Runs a tick in a process of that service in which no other command acts. */
  tick(service: 'provisioner' | 'billing', name: string): void;
}

const http = (name: string, request: (on: Scene) => Parameters<Actors['request']>[1]): Command => ({
  name,
  start: (on) => on.request(name, request(on)),
});

const ticked = (name: string, service: 'provisioner' | 'billing', tick: string): Command => ({
  name,
  start: (on) => on.tick(service, tick),
});

let orders = 0;

export const COMMANDS: readonly Command[] = [
  http('create', () => ({
    method: 'POST',
    path: '/deployments',
    body: {
      server_type: 'new',
      cloud_provider: 'hetzner',
      region: 'fsn1',
      instance_type: 'cpx22',
      package: 'test-page',
      support_level: 1,
      // Names are generated from the time, which does not advance here.
      client_id: `order-${++orders}`,
    },
  })),
  http('delete', ({ subject }) => ({ method: 'DELETE', path: `/deployments/${subject}` })),
  http('level up', ({ subject }) => ({
    method: 'PATCH',
    path: `/deployments/${subject}`,
    body: { support_level: 3 },
  })),
  http('level down', ({ subject }) => ({
    method: 'PATCH',
    path: `/deployments/${subject}`,
    body: { support_level: 1 },
  })),
  http('restart', ({ subject }) => ({ method: 'POST', path: `/deployments/${subject}/restart` })),
  http('retry dns', ({ subject }) => ({ method: 'POST', path: `/deployments/${subject}/retry-dns-validation` })),
  http('top-up', ({ session }) => ({
    method: 'POST',
    path: `/stripe/test-checkout/${session}`,
    body: { outcome: 'pay' },
  })),
  // A part of the payment, and then more of it, which is reported as the total refunded.
  { name: 'refund', start: (on) => on.reported('refund', { ...on.payment, cents: 300 }) },
  { name: 'refund more', start: (on) => on.reported('refund', { ...on.payment, cents: 500 }) },
  { name: 'dispute', start: (on) => on.reported('dispute', on.payment) },
  { name: 'dispute won', start: (on) => on.reported('dispute won', on.payment) },
  { name: 'adjust', start: (on) => on.adjust(Money.of(-2)) },
  // Next work of the provisioner, which is a start of billing, a certificate, the end of a restart, or a removal.
  ticked('walk', 'provisioner', 'work run'),
  ticked('compare servers', 'provisioner', 'work reconcile-servers'),
  // Work triggered by the clock, which is ends of grace periods and credits, and the daily charges.
  ticked('catch up', 'billing', 'catch up'),
  ticked('settle forgotten', 'billing', 'forgotten'),
];

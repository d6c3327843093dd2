import type { Proc, Product } from '../journeys/product';
import { type Customer, order, statusOf } from './customers';

const LEASE = `select w.leased_until is not null as held, r.steps[r.position + 1] as step
  from work w join runs r on w.kind = 'run' and w.key = r.id::text where r.deployment_id = $1`;

/**
 * Places orders until the process could be stopped while it held the lease of that step. Returns the deployment's id.
 */
export async function stoppedAt(
  { product, process, customer }: { product: Product; process: Proc; customer: Customer },
  step: string,
): Promise<number> {
  for (let round = 1; round <= 20; round++) {
    const id = await order(customer, `${step}-${round}`);
    while ((await statusOf(product, id)) !== 'READY') {
      const [run] = await product.sql<{ step: string; held: boolean }>(LEASE, [id]);
      if (run?.step !== step || run.held !== true) continue;
      process.child.kill('SIGSTOP');
      const [still] = await product.sql<{ step: string; held: boolean }>(LEASE, [id]);
      if (still?.step === step && still.held === true) return id;
      process.child.kill('SIGCONT');
    }
  }
  throw new Error(`no process was stopped at ${step}`);
}

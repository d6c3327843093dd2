import type { Product } from '../journeys/product';
import { fixture } from './host-fixture';

/**
 * Enters records at the DNS server, with a host and its address each, like a customer at a DNS provider. The pause
 * until the product's next check is skipped.
 */
export async function enterRecords(product: Product, records: Readonly<Record<string, string>>): Promise<void> {
  for (const [host, address] of Object.entries(records)) await fixture(['dns', 'set', host, address]);
  await product.sql(`update work set due_at = now() where kind = 'run' and leased_until is null and due_at > now()`);
}

import type { CloudName } from '@moorage/domain';
import { type Cloud, CloudError } from './cloud';

/**
 * Returns a provider that is off, or live without credentials. The api does not offer it, and every call is rejected
 * here.
 */
export function notConfiguredCloud(name: CloudName, why: string): Cloud {
  const refuse = (): Promise<never> => Promise.reject(new CloudError('auth', `${name} ${why}`));
  return {
    name,
    budgetKey: null,
    projectId: refuse,
    find: refuse,
    create: refuse,
    get: refuse,
    list: refuse,
    delete: refuse,
    resize: refuse,
    repairRules: refuse,
    holdings: { list: refuse, remove: refuse },
    catalogue: refuse,
    check: refuse,
  };
}

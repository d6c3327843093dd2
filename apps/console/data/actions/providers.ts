import type { ProviderAnswer } from '@moorage/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { action } from '../action';
import { readKey } from '../use-read';

/** All cloud providers of the installation. */
export const PROVIDER_LIST = 'GET /admin/providers';

const apply = (client: QueryClient, changed: ProviderAnswer) =>
  client.setQueryData<ProviderAnswer[]>(readKey('providers', PROVIDER_LIST), (shown) =>
    shown?.map((one) => (one.provider === changed.provider ? changed : one)),
  );

/** Actions of administrators on cloud providers and leaked resources. */
export const PROVIDERS = {
  check: action('POST /admin/providers/{provider}/check', { apply }),
  /** Allows servers to be created in a project. */
  confirmProject: action('POST /admin/providers/{provider}/confirm', { apply }),
  enterCredentials: action('PUT /admin/providers/{provider}/credentials', { apply }),
  removeCredentials: action('DELETE /admin/providers/{provider}/credentials', { apply }),
  keepLeak: action('POST /admin/leaks/{id}/keep'),
  removeLeak: action('POST /admin/leaks/{id}/remove'),
  adoptLeak: action('POST /admin/leaks/{id}/adopt'),
} as const;

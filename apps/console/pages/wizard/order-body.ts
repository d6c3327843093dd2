import type { RouteRequest } from '@moorage/contracts';
import { CONFIG_FIELDS, type Draft, draftToSend } from '@moorage/domain';
import { tidy } from './typed-value';
import type { WizardApi } from './wizard-context';

export type OrderBody = RouteRequest<'POST /deployments'>['body'];

/** Builds the request body. Empty values become null, and fields that no screen shows are omitted. */
export function orderBody({ wizard, config, names }: Pick<WizardApi, 'wizard' | 'config' | 'names'>): OrderBody {
  if (config === null) throw new Error('No package is selected yet.');
  const draft = draftToSend(wizard.draft, config);
  const own = draft.server_type === 'vps';
  const text = (value: string | null | undefined): string | null => {
    const trimmed = (value ?? '').trim();
    return trimmed === '' ? null : trimmed;
  };
  const values = Object.fromEntries(
    CONFIG_FIELDS.map((field) => [field, text(tidy(field, draft[field] ?? ''))]),
  ) as Partial<Draft>;
  return {
    ...draft,
    ...values,
    vps_ip_address: own ? text(draft.vps_ip_address) : null,
    // The owner of a server already has access to it.
    user_ssh_key: own ? null : text(draft.user_ssh_key),
    ...names,
    postgres_host: config.postgres_host,
    github_repo: '',
    ...(wizard.pricing === null ? {} : { expected_hourly_cost: wizard.pricing.hourly_cost }),
  };
}

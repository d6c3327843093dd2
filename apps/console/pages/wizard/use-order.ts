import { CONFIG_FIELDS, type Draft, draftToSend, type WizardStep, wizardSteps } from '@moorage/domain';
import type { Price } from '@moorage/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../data/errors';
import { createDeployment, type OrderBody } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { tidy } from './config-step';
import { useWizard, type WizardApi } from './use-wizard';

export interface Order {
  readonly busy: boolean;
  /** Error of the last attempt, if it does not concern a field. */
  readonly refused: Error | null;
  /** The order had already succeeded, but its response was lost. */
  readonly placedBefore: boolean;
  /** Price of the last attempt, if it has changed since then. */
  readonly priceBefore: Price | null;
  create(): void;
}

/** Orders the draft. However often it is sent, one key and one client_id create one deployment (decision 29). */
export function useOrder(): Order {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const wizard = useWizard();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Error | null>(null);
  const [placedBefore, setPlacedBefore] = useState(false);
  const [priceBefore, setPriceBefore] = useState<Price | null>(null);
  // Guards against a second click before the next render.
  const sending = useRef(false);

  const create = (): void => {
    const { config, stored } = wizard;
    if (sending.current || config === null) return;
    sending.current = true;
    setBusy(true);
    setRefused(null);
    setPriceBefore(null);
    void createDeployment(orderBody(wizard), stored.idempotencyKey)
      .then(
        ({ id }) => {
          wizard.end();
          void client.invalidateQueries({ queryKey: ['deployments'] });
          void client.invalidateQueries({ queryKey: ['billing', 'runway'] });
          // Back must not return to a completed order.
          void navigate(`/dashboard?deployment=${id}`, { replace: true });
        },
        async (error: unknown) => {
          if (error instanceof ApiError && error.code === 'PRICE_CHANGED') {
            void client.invalidateQueries({ queryKey: ['catalogue'] });
            await wizard.takeNewPrice().then(
              () => setPriceBefore(wizard.wizard.pricing),
              () => setRefused(error),
            );
          } else if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED') {
            wizard.end();
            setPlacedBefore(true);
            void client.invalidateQueries({ queryKey: ['deployments'] });
          } else if (!showBesideFields(error)) {
            setRefused(error instanceof Error ? error : new Error(t('wizard.failed.create')));
            void client.invalidateQueries({ queryKey: ['billing', 'runway'] });
          }
        },
      )
      .finally(() => {
        sending.current = false;
        setBusy(false);
      });
  };

  /** Goes to the first step with a field that the server rejected. Returns false if there is none. */
  function showBesideFields(error: unknown): boolean {
    if (!(error instanceof ApiError)) return false;
    const steps = wizardSteps(wizard.wizard.draft);
    const placed = error.fields.filter(({ path }) => stepOf(path, steps) !== null);
    const first = steps.find((step) => placed.some(({ path }) => stepOf(path, steps) === step));
    if (first === undefined) return false;
    if (placed.some(({ path }) => path === 'instance_type')) void client.invalidateQueries({ queryKey: ['catalogue'] });
    wizard.setProblems(Object.fromEntries(placed.toReversed().map(({ path, message }) => [path, message])));
    const address = placed.find(({ path }) => path === 'vps_ip_address');
    if (address !== undefined) wizard.refuseAddress(address.message);
    wizard.goTo(first);
    return true;
  }

  return { busy, refused, placedBefore, priceBefore, create };
}

const STEP_OF: Readonly<Record<string, WizardStep>> = {
  package: 'package',
  server_type: 'server',
  vps_ip_address: 'server',
  cloud_provider: 'cloud',
  region: 'region',
  instance_type: 'instance',
  support_level: 'support',
  user_ssh_key: 'config',
  ...Object.fromEntries(CONFIG_FIELDS.map((field) => [field, 'config'])),
};

function stepOf(path: string, steps: readonly WizardStep[]): WizardStep | null {
  const step = STEP_OF[path];
  return step !== undefined && steps.includes(step) ? step : null;
}

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

import { CONFIG_FIELDS, type Draft, draftToSend, type WizardStep, wizardSteps } from '@moorage/domain';
import type { Price } from '@moorage/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../data/api';
import { createDeployment, type OrderBody } from '../data/deployments';
import { useText } from '../texts/console-i18n';
import { tidy } from './config-step';
import { useWizard, type WizardApi } from './use-wizard';

export interface Order {
  readonly busy: boolean;
  /** Why the last try came to nothing, where no field is to blame. */
  readonly refused: Error | null;
  /** The order had gone through before, and its answer was lost on the way. */
  readonly placedBefore: boolean;
  /** The price at which the last try ordered, where it is another by now. */
  readonly priceBefore: Price | null;
  create(): void;
}

/** The draft becomes one deployment, however often it is sent: one key, one client_id (decisions 29). */
export function useOrder(): Order {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const wizard = useWizard();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Error | null>(null);
  const [placedBefore, setPlacedBefore] = useState(false);
  const [priceBefore, setPriceBefore] = useState<Price | null>(null);
  // two clicks come before the first has drawn anything
  const sending = useRef(false);

  const create = (): void => {
    const { config, kept } = wizard;
    if (sending.current || config === null) return;
    sending.current = true;
    setBusy(true);
    setRefused(null);
    setPriceBefore(null);
    void createDeployment(orderBody(wizard), kept.idempotencyKey)
      .then(
        ({ id }) => {
          wizard.end();
          void client.invalidateQueries({ queryKey: ['deployments'] });
          void client.invalidateQueries({ queryKey: ['runway'] });
          // Back must not lead to an order that is done
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
            void client.invalidateQueries({ queryKey: ['runway'] });
          }
        },
      )
      .finally(() => {
        sending.current = false;
        setBusy(false);
      });
  };

  /** Goes to the first step that has a field the server spoke about; false: it spoke of none. */
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

/** What the api takes; empty is null, and nothing that no screen shows goes along. */
export function orderBody({ wizard, config, names }: Pick<WizardApi, 'wizard' | 'config' | 'names'>): OrderBody {
  if (config === null) throw new Error('There is no package yet.');
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
    // the owner of a server is on it already
    user_ssh_key: own ? null : text(draft.user_ssh_key),
    ...names,
    postgres_host: config.postgres_host,
    github_repo: '',
    ...(wizard.pricing === null ? {} : { expected_hourly_cost: wizard.pricing.hourly_cost }),
  };
}

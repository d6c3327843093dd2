import type { Price, RouteAnswer } from '@moorage/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCreate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { showOrdered } from '../../data/deployments';
import { ApiError } from '../../data/errors';
import { useText } from '../../texts/console-i18n';
import { type OrderBody, orderBody } from './order-body';
import { useRejectedFields } from './use-rejected-fields';
import { useWizard } from './wizard-context';

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

type Outcome = Pick<Order, 'refused' | 'placedBefore' | 'priceBefore'>;

const NONE: Outcome = { refused: null, placedBefore: false, priceBefore: null };

/** Orders the draft. However often it is sent, one key and one client_id create one deployment (decision 29). */
export function useOrder(): Order {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const wizard = useWizard();
  const [send] = useCreate<OrderBody, Error, RouteAnswer<'POST /deployments'>>();
  const showBesideFields = useRejectedFields();
  const [outcome, setOutcome] = useState(NONE);
  // Guards against a second click before the next render.
  const sending = useRef(false);
  const ordered = useRef(false);

  const reload = (...resources: readonly ('billing' | 'catalogue' | 'deployments')[]): void => {
    for (const resource of resources) void client.invalidateQueries({ queryKey: [resource] });
  };

  const succeeded = (deployment: RouteAnswer<'POST /deployments'>): void => {
    const { id } = deployment;
    ordered.current = true;
    showOrdered(client, deployment);
    wizard.end();
    // Back must not return to a completed order.
    void navigate(`/dashboard?deployment=${id}`, { replace: true });
  };

  // The page stays until the next one has loaded. If it loaded the balance again, it would count the order twice.
  const reloadOrdered = useEffectEvent(() => {
    if (ordered.current) void client.invalidateQueries({ queryKey: ['billing'], refetchType: 'none' });
  });
  useEffect(() => () => reloadOrdered(), []);

  const failed = async (error: unknown): Promise<Partial<Outcome>> => {
    const code = error instanceof ApiError ? error.code : null;
    const refused = error instanceof Error ? error : new Error(t('wizard.failed.create'));
    if (code === 'PRICE_CHANGED') {
      reload('catalogue');
      return wizard.takeNewPrice().then(
        () => ({ priceBefore: wizard.wizard.pricing }),
        () => ({ refused }),
      );
    }
    if (code === 'IDEMPOTENCY_KEY_REUSED') {
      wizard.end();
      reload('deployments');
      return { placedBefore: true };
    }
    if (showBesideFields(error)) return {};
    reload('billing');
    return { refused };
  };

  const create = async (): Promise<void> => {
    if (sending.current || wizard.config === null) return;
    sending.current = true;
    wizard.setOrdering(true);
    setOutcome((before) => ({ ...NONE, placedBefore: before.placedBefore }));
    const request = { data: orderBody(wizard), meta: { idempotencyKey: wizard.stored.idempotencyKey } };
    try {
      await send('deployments', request, { returnPromise: true, onSuccess: succeeded });
    } catch (error) {
      const found = await failed(error);
      setOutcome((before) => ({ ...before, ...found }));
      sending.current = false;
      wizard.setOrdering(false);
    }
  };

  return { busy: wizard.isOrdering, ...outcome, create: () => void create() };
}

import type { DeploymentAnswer } from '@moorage/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useOrderEffect } from '../../../data/billing';
import { ApiError } from '../../../data/errors';
import { refusalText } from '../../../data/problem-message';
import { useText } from '../../../texts/console-i18n';
import { useIsVerified } from '../actions';
import type { NewPlaceForm, Problems } from './use-new-place';

type Body = NonNullable<NewPlaceForm['body']>;

/** Order of a new deployment with the data of another one. */
export interface PlaceOrder {
  readonly form: NewPlaceForm;
  readonly problems: Problems;
  readonly isBusy: boolean;
  /** Reason why it cannot be ordered now, or null. */
  readonly whyNot: string | null;
  readonly refusal: string | null;
  readonly run: () => void;
}

/** Sends the order of a form, shows the server's errors at their fields, and opens the new deployment. */
export function usePlaceOrder({
  form,
  action,
  failed,
  send,
  onClose,
}: {
  form: NewPlaceForm;
  action: { readonly error: Error | null; readonly isPending: boolean };
  /** Text for errors without a reason for the user. */
  failed: string;
  send: (
    body: Body,
    results: { onSuccess: (created: DeploymentAnswer) => void; onError: (error: Error) => void },
  ) => void;
  onClose: () => void;
}): PlaceOrder {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [problems, setProblems] = useState<Problems>({});
  const { body } = form;
  const { error } = action;
  const shown = problemsOf(error, body?.server_type);
  const isPriceChanged = error instanceof ApiError && error.code === 'PRICE_CHANGED';
  const refusal = (): string | null => {
    if (error === null || Object.keys(shown).length > 0) return null;
    return isPriceChanged ? t('backups.create.price_changed') : refusalText(error, failed);
  };
  return {
    form: {
      ...form,
      change: (fields) => {
        // A field being edited is no longer marked as wrong.
        setProblems((now) => ({
          ...now,
          ...Object.fromEntries(Object.keys(fields).map((field) => [field, undefined])),
        }));
        form.change(fields);
      },
    },
    problems,
    isBusy: action.isPending,
    whyNot: useWhyNot(form),
    refusal: refusal(),
    run: () => {
      if (body === null) return;
      setProblems({});
      send(body, {
        onSuccess: (created) => {
          onClose();
          void navigate(`/dashboard?deployment=${created.id}`);
        },
        onError: (refused) => {
          setProblems(problemsOf(refused, body.server_type));
          if (refused instanceof ApiError && refused.code === 'PRICE_CHANGED') {
            void client.invalidateQueries({ queryKey: ['catalogue'] });
            void form.refetchPrice();
          }
        },
      });
    },
  };
}

/** Returns the reason why the deployment cannot be ordered yet, or null. */
function useWhyNot({ place, body, price, serverCheck }: NewPlaceForm): string | null {
  const t = useText();
  const isVerified = useIsVerified();
  const { data: effect } = useOrderEffect(price?.hourly_cost ?? null);
  const isNew = place.server_type === 'new';
  if (!isVerified) return t('deployments.locked.unverified');
  if (isNew ? place.instance_type === '' : serverCheck.state !== 'passed')
    return t(isNew ? 'backups.create.pick_place' : 'backups.create.pick_server');
  if (body === null) return t('backups.create.pick_price');
  if (place.hasOtherDomain && body.domain === null) return t('backups.create.domain_missing');
  return effect !== undefined && effect.order_refusal !== null ? t('wizard.why.money') : null;
}

const FIELDS: readonly string[] = [
  'server_type',
  'cloud_provider',
  'region',
  'instance_type',
  'vps_ip_address',
  'client_name',
  'domain',
  'support_level',
];

/** Picks the server's errors that belong to visible fields. */
function problemsOf(error: unknown, serverType: 'new' | 'vps' | undefined): Problems {
  if (!(error instanceof ApiError)) return {};
  const about = error.fields.filter(({ path }) => FIELDS.includes(path));
  if (about.length === 0 && error.code === 'VPS_IN_USE' && serverType === 'vps')
    return { vps_ip_address: error.reason };
  return Object.fromEntries(about.toReversed().map(({ path, message }) => [path, message]));
}

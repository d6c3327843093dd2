import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useOrderEffect } from '../../../data/billing';
import { ApiError } from '../../../data/errors';
import { refusalText } from '../../../data/problem-message';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { useIsVerified } from '../actions';
import type { RestoreAct, RestoreProps } from './restore-act';
import { type NewPlaceForm, type Problems, useNewPlace } from './use-new-place';

/** Orders a new deployment with the data of the copy. */
export function useCreate({ id, copy, deployment, onClose }: RestoreProps): RestoreAct & {
  readonly form: ReturnType<typeof useNewPlace>;
  readonly problems: Problems;
} {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useNewPlace(deployment);
  const deploy = useAction('deployments', 'deployCopy', { done: t('backups.create.done') });
  const [problems, setProblems] = useState<Problems>({});
  const { body } = form;
  const shown = problemsOf(deploy.error, body?.server_type);

  const isPriceChanged = deploy.error instanceof ApiError && deploy.error.code === 'PRICE_CHANGED';
  const refusal = (): string | null => {
    if (deploy.error === null || Object.keys(shown).length > 0) return null;
    return isPriceChanged ? t('backups.create.price_changed') : refusalText(deploy.error, t('backups.create.failed'));
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
    label: 'backups.create.submit',
    busyLabel: 'backups.create.busy',
    isBusy: deploy.isPending,
    whyNot: useWhyNot(form),
    refusal: refusal(),
    run: () => {
      if (body === null) return;
      setProblems({});
      deploy.mutate(
        { params: { id, backup_id: copy.id }, body },
        {
          onSuccess: (created) => {
            onClose();
            void navigate(`/dashboard?deployment=${created.id}`);
          },
          onError: (error) => {
            setProblems(problemsOf(error, body.server_type));
            if (error instanceof ApiError && error.code === 'PRICE_CHANGED') {
              void client.invalidateQueries({ queryKey: ['catalogue'] });
              void form.refetchPrice();
            }
          },
        },
      );
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

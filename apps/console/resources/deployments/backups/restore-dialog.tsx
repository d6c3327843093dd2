import { useQueryClient } from '@tanstack/react-query';
import { Archive, ClockAlert, Wallet } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../../data/errors';
import { type Backups, type Copy, useDeployCopy, useRestore } from '../../../data/backups';
import { useOrderEffect, useRunway } from '../../../data/billing';
import { usePackages } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { type ConsoleTextKey, useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { duration, shortInstant } from '../../../ui/dates';
import { refusalText } from '../../../data/problem-message';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import { Card, Choices, FromPrice } from '../../../parts/order/choice';
import { useIsVerified } from '../actions';
import { useToast } from '../../../ui/use-toast';
import { isOver } from '../../../parts/deployment/deployment-messages';
import { takenAt } from './calendar';
import { copyName, newestComplete, tookMs } from './copy-messages';
import { CreateFields, type Problems } from './create-fields';
import type { Rights } from './rights';
import { useNewPlace } from './use-new-place';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';

type Answer = 'replace' | 'create';

interface RestoreProps {
  readonly id: number;
  readonly copy: Copy;
  /** Undefined if its entry is deleted. */
  readonly deployment: Deployment | undefined;
  readonly backups: Backups;
  readonly rights: Rights;
  readonly now: number;
  readonly onClose: () => void;
}

/** Offers two choices, to replace the data or to create a new deployment, with their effects and costs. */
export function RestoreDialog(props: RestoreProps) {
  const { copy, deployment, backups, rights, now, onClose } = props;
  const t = useText();
  const id = useId();
  const mayReplace = deployment !== undefined && !isOver(deployment) && rights.mayRestore;
  const [answer, setAnswer] = useState<Answer>(mayReplace ? 'replace' : 'create');
  const replace = useReplace(props);
  const create = useCreate(props);
  const act = answer === 'replace' ? replace : create;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (act.whyNot === null && !act.isBusy) act.run();
  };
  const at = copyName(copy, now);
  return (
    <Dialog
      onClose={onClose}
      onSubmit={submit}
      width="own"
      className="restore-dialog"
      refusal={act.refusal}
      title={t(mayReplace ? 'backups.restore.title' : 'backups.restore.title_new', { at })}
      actions={
        <>
          <Button onClick={onClose}>{t('layout.cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            aria-disabled={act.whyNot !== null || act.isBusy ? true : undefined}
            aria-describedby={act.whyNot === null ? undefined : `${id}-why`}
          >
            {t(act.isBusy ? act.busyLabel : act.label)}
          </Button>
        </>
      }
    >
      {mayReplace ? (
        <Answers deployment={deployment} answer={answer} mayCreate={rights.isOwner} onChoose={setAnswer} />
      ) : null}
      {answer === 'replace' ? (
        <>
          <Consequences copy={copy} backups={backups} now={now} isOwner={rights.isOwner} />
          {rights.isOwner ? null : <ReasonField value={replace.reason} onChange={replace.setReason} />}
        </>
      ) : (
        <CreateFields form={create.form} deployment={deployment} problems={create.problems} />
      )}
      {act.whyNot === null ? null : (
        <p className="small soft why-not" id={`${id}-why`}>
          {act.whyNot}
        </p>
      )}
    </Dialog>
  );
}

function Answers({
  deployment,
  answer,
  mayCreate,
  onChoose,
}: {
  deployment: Deployment;
  answer: Answer;
  mayCreate: boolean;
  onChoose: (answer: Answer) => void;
}) {
  const t = useText();
  const { client_name: name, package: pack } = deployment;
  const from = usePackages().data?.find((one) => one.name === pack)?.from_daily;
  return (
    <Choices
      label={t('backups.restore.choose')}
      value={answer}
      onChoose={(value) => onChoose(value === 'create' ? 'create' : 'replace')}
    >
      <Card
        value="replace"
        chosen={answer === 'replace'}
        price={<span className="tag star">{t('backups.restore.free')}</span>}
      >
        <b className="anywhere">{t('backups.restore.replace', { name })}</b>
        <br />
        <span className="soft">{t('backups.restore.replace_hint')}</span>{' '}
        <strong>{t('backups.restore.replace_undo')}</strong>
      </Card>
      {mayCreate ? (
        <Card value="create" chosen={answer === 'create'} price={<FromPrice daily={from} />}>
          <b>{t('backups.restore.create')}</b>
          <br />
          <span className="soft anywhere">{t('backups.restore.create_hint', { name })}</span>
        </Card>
      ) : null}
    </Choices>
  );
}

/** Lists the consequences of replacing the data. */
function Consequences({
  copy,
  backups,
  now,
  isOwner,
}: {
  copy: Copy;
  backups: Backups;
  now: number;
  isOwner: boolean;
}) {
  const t = useText();
  const { data: runway } = useRunway();
  const newest = newestComplete(backups.copies);
  const took = newest === undefined ? null : tookMs(newest);
  return (
    <ul className="restore-plan">
      <li>
        <ClockAlert size={16} aria-hidden="true" />
        {t('backups.restore.replaced', {
          at: copyName(copy, now),
          time: duration(Math.max(0, now - Date.parse(takenAt(copy)))),
        })}
      </li>
      <li>
        <Archive size={16} aria-hidden="true" />
        {took === null ? t('backups.restore.first') : t('backups.restore.first_time', { time: duration(took) })}
      </li>
      <li>
        <Wallet size={16} aria-hidden="true" />
        {isOwner && runway?.ends_at != null
          ? t('backups.restore.until', { date: shortInstant(runway.ends_at, now) })
          : t('backups.restore.endless')}
      </li>
    </ul>
  );
}

interface Act {
  readonly label: ConsoleTextKey;
  readonly busyLabel: ConsoleTextKey;
  readonly isBusy: boolean;
  /** Reason why it cannot be done now, or null. */
  readonly whyNot: string | null;
  readonly refusal: string | null;
  readonly run: () => void;
}

function useReplace({ id, copy, backups, rights, onClose }: RestoreProps): Act & {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
} {
  const t = useText();
  const toast = useToast();
  const isVerified = useIsVerified();
  const [reason, setReason] = useState('');
  const restore = useRestore(id);
  const { restore_refused: refused } = backups;
  return {
    reason,
    setReason,
    label: 'backups.restore.submit',
    busyLabel: 'backups.restore.busy',
    isBusy: restore.isPending,
    whyNot: !isVerified
      ? t('deployments.locked.unverified')
      : refused !== null
        ? messageText(refused)
        : rights.isOwner || isReason(reason)
          ? null
          : t('layout.reason.needed'),
    refusal: restore.error === null ? null : refusalText(restore.error, t('backups.restore.failed')),
    run: () =>
      restore.mutate(
        { copy: copy.id, reason: rights.isOwner ? null : reason.trim() },
        {
          onSuccess: () => {
            toast(t('backups.restore.begun'));
            onClose();
          },
        },
      ),
  };
}

function useCreate({ id, copy, deployment, onClose }: RestoreProps): Act & {
  readonly form: ReturnType<typeof useNewPlace>;
  readonly problems: Problems;
} {
  const t = useText();
  const toast = useToast();
  const navigate = useNavigate();
  const client = useQueryClient();
  const isVerified = useIsVerified();
  const form = useNewPlace(deployment);
  const deploy = useDeployCopy(id, copy.id);
  const [problems, setProblems] = useState<Problems>({});
  const { data: effect } = useOrderEffect(form.price?.hourly_cost ?? null);
  const { place, body } = form;
  const shown = problemsOf(deploy.error, body?.server_type);
  const isNew = place.server_type === 'new';

  const whyNot = (): string | null => {
    if (!isVerified) return t('deployments.locked.unverified');
    if (isNew ? place.instance_type === '' : form.serverCheck.state !== 'passed')
      return t(isNew ? 'backups.create.pick_place' : 'backups.create.pick_server');
    if (body === null) return t('backups.create.pick_price');
    if (place.hasOtherDomain && body.domain === null) return t('backups.create.domain_missing');
    return effect !== undefined && effect.order_refusal !== null ? t('wizard.why.money') : null;
  };
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
    whyNot: whyNot(),
    refusal: refusal(),
    run: () => {
      if (body === null) return;
      setProblems({});
      deploy.mutate(body, {
        onSuccess: (created) => {
          toast(t('backups.create.done'));
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
      });
    },
  };
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

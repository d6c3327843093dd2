import type { MoveKind } from '@moorage/domain';
import { Archive, ClockAlert, Globe, Wallet } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import type { Deployment } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { bothForms } from '../../../ui/both-forms';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { money } from '../../../ui/money';
import { CreateCost } from '../backups/create-cost';
import { PlaceChoice } from '../backups/create-fields';
import { TextInput } from '../backups/create-inputs';
import { LevelHint, LevelSelect } from '../backups/level-fields';
import { useNewPlace } from '../backups/use-new-place';
import { type PlaceOrder, usePlaceOrder } from '../backups/use-place-order';
import '../backups/restore-dialog.css';

/** Orders the new server of a move or clone, with its cost and what happens to the data. */
export function MoveDialog({
  kind,
  deployment,
  onClose,
}: {
  kind: MoveKind;
  deployment: Deployment;
  onClose: () => void;
}) {
  const t = useText();
  const id = useId();
  const { form, problems, isBusy, whyNot, refusal, run } = useOrder(kind, deployment, onClose);
  const { client_name: name, domain } = deployment;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (whyNot === null && !isBusy) run();
  };
  return (
    <Dialog
      onClose={onClose}
      onSubmit={submit}
      width="own"
      className="restore-dialog"
      refusal={refusal}
      title={t(kind === 'move' ? 'moves.dialog.move_title' : 'moves.dialog.clone_title', { name })}
      actions={
        <>
          <Button onClick={onClose}>{t('layout.cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            aria-disabled={whyNot !== null || isBusy ? true : undefined}
            aria-describedby={whyNot === null ? undefined : `${id}-why`}
          >
            {t(isBusy ? 'moves.dialog.busy' : kind === 'move' ? 'moves.dialog.move' : 'moves.dialog.clone')}
          </Button>
        </>
      }
    >
      <Effects kind={kind} deployment={deployment} />
      <div className="create-fields">
        <PlaceChoice form={form} deployment={deployment} problems={problems} />
        {kind === 'move' ? null : (
          <>
            {domain === null ? null : (
              <TextInput
                label={t('moves.dialog.domain')}
                value={form.place.domain}
                problem={problems.domain}
                onType={(typed) => form.change({ domain: typed })}
              />
            )}
            <div className="two">
              <TextInput
                label={t('backups.create.name')}
                value={form.place.client_name}
                hint={t('backups.create.name_hint')}
                problem={problems.client_name}
                onType={(typed) => form.change({ client_name: typed })}
              />
              <LevelSelect form={form} problems={problems} />
            </div>
            <LevelHint form={form} />
          </>
        )}
        <CreateCost form={form} />
      </div>
      {whyNot === null ? null : (
        <p className="small soft why-not" id={`${id}-why`}>
          {whyNot}
        </p>
      )}
    </Dialog>
  );
}

/** Lists what happens, what is not transferred, and what both servers cost. */
function Effects({ kind, deployment }: { kind: MoveKind; deployment: Deployment }) {
  const t = useText();
  const { domain, daily_cost } = deployment;
  const isMove = kind === 'move';
  return (
    <ul className="restore-plan">
      <li>
        <Archive size={16} aria-hidden="true" />
        {t(isMove ? 'moves.dialog.order_move' : 'moves.dialog.order_clone')}
      </li>
      <li>
        <ClockAlert size={16} aria-hidden="true" />
        <span>
          {t('moves.dialog.behind')} {isMove ? t('moves.dialog.closed') : null}
        </span>
      </li>
      {isMove && domain !== null ? (
        <li>
          <Globe size={16} aria-hidden="true" />
          <span className="anywhere">{t('moves.dialog.dns', { domain: bothForms(domain) })}</span>
        </li>
      ) : null}
      <li>
        <Wallet size={16} aria-hidden="true" />
        {t(isMove ? 'moves.dialog.both' : 'moves.dialog.both_clone', {
          daily: money(daily_cost, { rounding: 'price' }),
        })}
      </li>
    </ul>
  );
}

function useOrder(kind: MoveKind, deployment: Deployment, onClose: () => void): PlaceOrder {
  const t = useText();
  const { id, domain } = deployment;
  const place = useNewPlace(deployment);
  // A move keeps the domain, and a clone needs another one.
  const hasOtherDomain = kind === 'clone' && domain !== null;
  const form = { ...place, place: { ...place.place, hasOtherDomain } };
  const move = useAction('deployments', 'move', { done: t('moves.dialog.done_move') });
  const clone = useAction('deployments', 'clone', { done: t('moves.dialog.done_clone') });
  return usePlaceOrder({
    form,
    action: kind === 'move' ? move : clone,
    failed: t('moves.dialog.failed'),
    send: ({ support_level, client_name, domain: other, ...server }, results) =>
      kind === 'move'
        ? move.mutate({ params: { id }, body: server }, results)
        : clone.mutate({ params: { id }, body: { ...server, support_level, client_name, domain: other } }, results),
    onClose,
  });
}

import { CircleAlert, X } from 'lucide-react';
import { useUnpaidEndings } from '../data/deployments';
import { useCanChange } from '../data/session';
import { useAction } from '../data/use-action';
import { useText } from '../texts/console-i18n';
import { shortInstant } from '../ui/dates';
import { money } from '../ui/money';
import { useCreateAgain } from './order/create-again';
import { Button, IconButton } from '../ui/button';
import { ButtonLink } from '../ui/button-link';

const SHOWN = 3;

/** Notices of deployments that ended because the balance ran out, shown until dismissed. */
export function EndedBanner() {
  const t = useText();
  const endings = useUnpaidEndings().data ?? [];
  const dismiss = useAction('deployments', 'dismissEnding');
  const again = useCreateAgain();
  const canChange = useCanChange();
  if (endings.length === 0) return null;
  return (
    <>
      {endings.slice(0, SHOWN).map((ending) => {
        const { deployment_id: id, client_name: name } = ending;
        return (
          <div key={id} className="note port hold ended" role="alert">
            <CircleAlert size={16} aria-hidden="true" />
            <div className="grow">
              <p>
                <b>{t('deployments.ended.title', { name, date: shortInstant(ending.at) })}</b>
              </p>
              <p>
                <UnpaidNotice due={ending.due} available={ending.available} own={ending.server_type === 'vps'} />
              </p>
            </div>
            {ending.has_backups ? (
              <ButtonLink kind="primary" to={`/deployments/${id}/backups`}>
                {t('deployments.ended.backups')}
              </ButtonLink>
            ) : null}
            {canChange ? (
              <>
                <Button busy={again.isBusy} onClick={() => again.run(id)}>
                  {t('deployments.failure.again')}
                </Button>
                <IconButton
                  size="small"
                  icon={X}
                  label={t('deployments.ended.dismiss', { name })}
                  busy={dismiss.isPending}
                  onClick={() => dismiss.mutate({ params: { id } })}
                />
              </>
            ) : null}
          </div>
        );
      })}
      {endings.length > SHOWN ? (
        <p className="small soft">{t('deployments.ended.more', { smart_count: endings.length - SHOWN })}</p>
      ) : null}
    </>
  );
}

/** States the amount due, the balance available at that time, and what is left of the deployment. */
export function UnpaidNotice({ due, available, own }: { due: number; available: number; own: boolean }) {
  const t = useText();
  const amounts = {
    due: money(due, { rounding: 'needed' }),
    available: money(available, { rounding: 'balance' }),
  };
  return `${t('deployments.ended.unpaid', amounts)} ${t(own ? 'deployments.ended.gone_own' : 'deployments.ended.gone')}`;
}

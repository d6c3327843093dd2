import type { SupportDesk } from '@moorage/contracts';
import { useRead } from '../../data/use-read';
import { Phone, SuccessManager, useResponseTime } from '../../parts/support/response-time';
import { useOffersSupport } from '../../parts/support/support-button';
import { contactSupport } from '../../parts/support/support-desk';
import { SelfHelpLinks } from '../../parts/operator-links';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { SectionCard, Loaded } from '../../ui/card';
import './desk-card.css';

const LEVELS = { 1: 'community', 2: 'professional', 3: 'enterprise' } as const;

/** Support level of the account, with a button to contact support. */
export function DeskCard() {
  const t = useText();
  const p = usePublicText();
  const offersSupport = useOffersSupport();
  const desk = useRead('support', 'GET /support/desk', {});
  return (
    <SectionCard
      id="desk"
      title={t('support.desk.title')}
      aside={
        offersSupport ? (
          <Button kind="primary" aria-haspopup="dialog" onClick={() => contactSupport(null)}>
            {p('support.title')}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={desk} failed={t('support.desk.failed')}>
        {(loaded) => <DeskFacts desk={loaded} />}
      </Loaded>
    </SectionCard>
  );
}

function DeskFacts({ desk }: { desk: SupportDesk }) {
  const t = useText();
  const p = usePublicText();
  const promise = useResponseTime();
  const { level, hours, time_zone: zone, phone, success_manager: manager } = desk;
  const days = hours.replace(/Mon|Tue|Wed|Thu|Fri|Sat|Sun/g, (day) => t(`support.days.${day as 'Mon'}`));
  return (
    <dl className="pad desk">
      <div>
        <dt>{t('support.desk.level')}</dt>
        <dd>
          {t(`support.levels.${LEVELS[level]}`)}
          {level === 1 ? <SelfHelpLinks /> : null}
        </dd>
      </div>
      <div>
        <dt>{t('support.desk.answer')}</dt>
        <dd>{promise(desk) ?? t('support.desk.no_promise')}</dd>
      </div>
      <div>
        <dt>{t('support.desk.hours')}</dt>
        <dd>
          {days} <span className="muted">{zone}</span>
        </dd>
      </div>
      {phone === null ? null : (
        <div>
          <dt>{p('support.phone')}</dt>
          <dd>
            <Phone number={phone} />
          </dd>
        </div>
      )}
      {manager === null ? null : (
        <div>
          <dt>{p('support.manager')}</dt>
          <dd className="anywhere">
            <SuccessManager {...manager} />
          </dd>
        </div>
      )}
    </dl>
  );
}

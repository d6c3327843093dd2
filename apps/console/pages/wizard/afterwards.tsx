import { configurableEnv } from '@moorage/domain';
import { Lock, type LucideIcon, Server, Signpost } from 'lucide-react';
import { useConsoleSettings } from '../../data/brand';
import { isSandboxServer } from '../../parts/order/domain-name';
import { useText } from '../../texts/console-i18n';
import { useWizard } from './wizard-context';

/** Steps after the order, including those of the user. */
export function Afterwards() {
  const t = useText();
  const { sandbox_domain: zone } = useConsoleSettings();
  const { wizard, config, platformName } = useWizard();
  const { draft } = wizard;
  const { domain, server_type: type } = draft;
  const hasDomain = (config === null ? [] : configurableEnv(config)).some(({ name }) => name === 'DOMAIN');
  const byPlatform = platformName !== null && (domain ?? '') === '';
  const bySandbox = isSandboxServer(draft) && zone !== null && (domain ?? '').endsWith(`.${zone}`);
  return (
    <>
      <h2 className="after">{t('wizard.review.after')}</h2>
      <ol className="tl">
        <After
          icon={Server}
          title={type === 'vps' ? t('wizard.review.setup_own') : t('wizard.review.setup')}
          time={t('wizard.review.setup_time')}
          more={t('wizard.review.setup_more')}
        />
        {!hasDomain ? null : bySandbox || byPlatform ? (
          <After
            icon={Signpost}
            title={t('wizard.review.domain_sandbox')}
            time={t('wizard.review.domain_sandbox_time')}
          />
        ) : (
          <After
            icon={Signpost}
            chosenByYou
            title={t('wizard.review.domain')}
            time={t('wizard.review.domain_time')}
            more={t('wizard.review.domain_more')}
          />
        )}
        {hasDomain ? (
          <After
            icon={Lock}
            title={t('wizard.review.certificate')}
            time={t('wizard.review.certificate_time')}
            more={t('wizard.review.certificate_more')}
          />
        ) : null}
      </ol>
    </>
  );
}

function After({
  icon: Icon,
  title,
  time,
  more,
  chosenByYou = false,
}: {
  icon: LucideIcon;
  title: string;
  time: string;
  more?: string;
  chosenByYou?: boolean;
}) {
  return (
    <li className={chosenByYou ? 'need' : 'wait'}>
      <span className="n">
        <Icon aria-hidden="true" />
      </span>
      <b>{title}</b>
      <span className="d">{time}</span>
      {more === undefined ? null : <div className="more">{more}</div>}
    </li>
  );
}

import { Link } from 'react-router-dom';
import { errorText } from '../../data/problem-message';
import { stepAddress } from '../../parts/order/step-address';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { Flag } from '../../ui/flag';
import { countryIn } from './country';
import { ChangeLink, Row } from './express-row';
import { useChosen } from './use-chosen';
import type { Prefilled } from './use-prefilled';
import { useWizard } from './wizard-context';

/** Server of the order, with links to the steps that change its size and place. */
export function ServerRow(prefilled: Prefilled) {
  const t = useText();
  const { draft } = useWizard().wizard;
  const what = t('wizard.steps.server');
  if (draft.server_type === 'vps') {
    return (
      <Row label={what} change={<ChangeLink step="server" what={what} />}>
        {t('wizard.review.own_at', { address: draft.vps_ip_address ?? '' })}
      </Row>
    );
  }
  return (
    <Row
      label={what}
      change={
        <>
          <ChangeLink step="instance" text={t('wizard.express.size')} />
          <ChangeLink step="cloud" text={t('wizard.express.place')} />
        </>
      }
    >
      <NewServer {...prefilled} />
    </Row>
  );
}

function NewServer({ isSearching, isNowhere, isSuggested, failure, tryAgain }: Prefilled) {
  const t = useText();
  const { provider, region, size } = useChosen();
  if (failure !== null)
    return <ErrorAlert text={t('wizard.express.failed')} detail={errorText(failure)} onRetry={tryAgain} />;
  if (isNowhere)
    return (
      <span role="alert">
        {t('wizard.express.nowhere')} <Link to={stepAddress('server')}>{t('wizard.express.choose_server')}</Link>
      </span>
    );
  if (isSearching || size === null || region === null) return <i className="skel w3" aria-hidden="true" />;
  return (
    <>
      <span>
        <b>{size.display_name}</b>
        {`, ${t('wizard.express.resources', { cpu: size.cpu, memory: size.memory })}`}
      </span>
      <span className="row soft">
        <Flag countryCode={region.country_code} />
        {`${provider?.display_name ?? ''}, ${region.display_name}, ${countryIn(region.country_code)}`}
      </span>
      {isSuggested ? <span className="small muted">{t('wizard.express.near')}</span> : null}
    </>
  );
}

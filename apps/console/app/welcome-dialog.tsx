import { Link } from 'react-router-dom';
import { useText } from '../texts/console-i18n';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import './welcome.css';

const ABILITIES = ['deployments', 'users', 'promote', 'money'] as const;
const STEPS = [
  ['two_factor', '/account#two-factor'],
  ['people', '/users'],
  ['all_deployments', '/admin-deployments'],
] as const;

/** Dialog that lists the abilities of an administrator. */
export default function WelcomeDialog({ onDismiss }: { onDismiss: () => void }) {
  const t = useText();
  return (
    <Dialog
      onClose={onDismiss}
      // It is not shown again.
      closesOutside={false}
      className="welcome"
      title={t('users.welcome.title')}
      actions={
        <Button autoFocus kind="primary" onClick={onDismiss}>
          {t('users.welcome.done')}
        </Button>
      }
    >
      <p>{t('users.welcome.abilities')}</p>
      <ul>
        {ABILITIES.map((ability) => (
          <li key={ability}>{t(`users.welcome.ability.${ability}`)}</li>
        ))}
      </ul>
      <h3>{t('users.welcome.database')}</h3>
      <p>
        {t('users.welcome.database_run')} <code className="mono">npm run db:init</code>
      </p>
      <p className="soft">{t('users.welcome.database_safe')}</p>
      <h3>{t('users.welcome.next')}</h3>
      <ol>
        {STEPS.map(([step, to]) => (
          <li key={step}>
            <Link to={to} onClick={onDismiss}>
              {t(`users.welcome.step.${step}`)}
            </Link>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { useTitle } from '../../ui/use-title';

/** An address that leads nowhere, under the header like any other screen. */
export function NotFound() {
  const t = useText();
  useTitle(t('layout.not_found'));
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="card empty">
        <h1>{t('layout.not_found')}</h1>
        <p className="soft">{t('layout.not_found_hint')}</p>
        <Button component={Link} to="/dashboard" variant="contained" color="primary">
          {t('layout.to_dashboard')}
        </Button>
      </div>
    </main>
  );
}

import { Link } from 'react-router-dom';
import { ApiError } from '../data/api';
import { useText } from '../texts/console-i18n';
import { errorText } from './problem-words';

/** Why an administrator gets nothing: without the second factor where it is required the way to it, else that it failed. */
export function Refused({ error, failed }: { error: unknown; failed: string }) {
  const t = useText();
  if (!(error instanceof ApiError && error.code === 'TWO_FACTOR_REQUIRED')) return failed;
  return (
    <>
      {errorText(error)} <Link to="/account#two-factor">{t('users.two_factor')}</Link>
    </>
  );
}

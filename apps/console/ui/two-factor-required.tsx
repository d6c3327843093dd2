import { Link } from 'react-router-dom';
import { ApiError } from '../data/errors';
import { useText } from '../texts/console-i18n';
import { errorText } from '../data/problem-message';

/** Error for an administrator. Links to the two-factor setup if that is required and missing. */
export function TwoFactorRequiredError({ error, failed }: { error: unknown; failed: string }) {
  const t = useText();
  if (!(error instanceof ApiError && error.code === 'TWO_FACTOR_REQUIRED')) return failed;
  return (
    <>
      {errorText(error)} <Link to="/account#two-factor">{t('users.two_factor')}</Link>
    </>
  );
}

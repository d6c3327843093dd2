import OutlinedInput from '@mui/material/OutlinedInput';
import { checkSshUser, ROOT_USER } from '@moorage/domain';
import { useId } from 'react';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';

/** Login to a customer's own server. The password is never stored in the browser. */
export interface Login {
  readonly user: string;
  /** Password for sudo, or empty. */
  readonly password: string;
}
export const ROOT_LOGIN: Login = { user: ROOT_USER, password: '' };

/** The user as whom we log in, and for a user other than root the password for sudo. */
export function ServerLogin({ login, onType }: { login: Login; onType: (login: Login) => void }) {
  const t = useText();
  const id = useId();
  const problem = login.user === '' ? null : checkSshUser(login.user);
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };
  return (
    <>
      <label htmlFor={id}>{t('wizard.vps.user')}</label>
      <OutlinedInput
        id={id}
        className="mono"
        fullWidth
        size="small"
        value={login.user}
        error={problem !== null}
        inputProps={{ ...plain, 'aria-describedby': `${id}-hint`, 'aria-invalid': problem !== null, maxLength: 32 }}
        onChange={({ target }) => onType({ ...login, user: target.value })}
      />
      <p className="hint" id={`${id}-hint`}>
        {problem === null ? t('wizard.vps.user_hint') : messageText(problem)}
      </p>
      {login.user === ROOT_USER ? null : (
        <>
          <label htmlFor={`${id}-sudo`}>{t('wizard.vps.sudo')}</label>
          <OutlinedInput
            id={`${id}-sudo`}
            type="password"
            fullWidth
            size="small"
            value={login.password}
            inputProps={{
              ...plain,
              autoComplete: 'new-password',
              'aria-describedby': `${id}-sudo-hint`,
              maxLength: 256,
            }}
            onChange={({ target }) => onType({ ...login, password: target.value })}
          />
          <p className="hint" id={`${id}-sudo-hint`}>
            {t('wizard.vps.sudo_hint')}
          </p>
        </>
      )}
    </>
  );
}

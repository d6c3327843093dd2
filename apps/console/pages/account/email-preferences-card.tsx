import { MAIL_KIND_MESSAGES } from '@moorage/domain';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { chooseLanguage } from '../../data/account';
import { useNotifications, useOwnUser, useSetNotification } from '../../data/own-account';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { LOCALES, messageText, useLocale } from '../../texts/locale';
import { errorText } from '../../data/problem-message';
import { SectionCard, Loaded } from '../../ui/card';
import { SelectField } from '../../ui/form/select-field';

/** Settings for which emails are sent, and in which language. */
export function MailsCard() {
  const t = useText();
  const toast = useToast();
  const set = useSetNotification();
  return (
    <SectionCard id="mails" title={t('account.mails.title')}>
      <Loaded query={useNotifications()} failed={t('account.mails.failed')}>
        {(kinds) => (
          <ul className="pad switches">
            {kinds.map(({ kind, is_on, can_change }) => (
              <li key={kind}>
                <FormControlLabel
                  className="switch"
                  disabled={!can_change}
                  control={
                    <Switch
                      size="small"
                      checked={is_on}
                      onChange={(_event, on) =>
                        set.mutate(
                          { kind, is_on: on },
                          { onError: (error) => toast(errorText(error), { type: 'error' }) },
                        )
                      }
                    />
                  }
                  label={
                    <>
                      {messageText(MAIL_KIND_MESSAGES[kind])}
                      {can_change ? null : <span className="hint"> {t('account.mails.fixed')}</span>}
                    </>
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div className="pad language">
        <LanguageField />
      </div>
    </SectionCard>
  );
}

function LanguageField() {
  const t = useText();
  const shown = useLocale();
  const language = useOwnUser().data?.language ?? shown;
  return (
    <SelectField
      label={t('account.mails.language')}
      hint={t('account.mails.language_hint')}
      value={language}
      onChange={(value) => void chooseLanguage(value === 'de' ? 'de' : 'en')}
    >
      {LOCALES.map(({ locale, name }) => (
        <option key={locale} value={locale} lang={locale}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

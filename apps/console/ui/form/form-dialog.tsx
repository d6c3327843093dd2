import type { ComponentProps, ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useText } from '../../texts/console-i18n';
import { Button } from '../button';
import { Dialog } from '../dialog';
import { Form, SubmitError } from './form';
import { SubmitButton } from './submit-button';
import './form-dialog.css';

/** Dialog that is a form. `children` are its inputs, below the text and an error of the whole form. */
export function FormDialog<Values extends FieldValues>({
  title,
  text,
  isAlert = false,
  width = 'content',
  submit,
  onClose,
  children,
  ...form
}: Omit<ComponentProps<typeof Form<Values>>, 'id' | 'className'> &
  Pick<ComponentProps<typeof Dialog>, 'title' | 'text' | 'isAlert' | 'width'> & {
    submit: ComponentProps<typeof SubmitButton<Values>>;
    onClose: () => void;
    children: ReactNode;
  }) {
  const t = useText();
  return (
    <Dialog
      className="form-dialog"
      title={title}
      text={text}
      isAlert={isAlert}
      width={width}
      onClose={onClose}
      form={(body) => <Form<Values> {...form}>{body}</Form>}
      actions={
        <>
          <Button onClick={onClose}>{t('layout.cancel')}</Button>
          <SubmitButton {...submit} />
        </>
      }
    >
      <SubmitError />
      {children}
    </Dialog>
  );
}

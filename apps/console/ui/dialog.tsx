import MuiDialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { type FocusEvent, type FormEvent, type ReactNode, useId } from 'react';
import { FormError } from './form/field';

const WIDTHS = {
  /** As wide as its content, up to 600 px. */
  content: { maxWidth: 'sm' },
  narrow: { maxWidth: 'xs', fullWidth: true },
  wide: { maxWidth: 'sm', fullWidth: true },
  /** Set by the style sheet of its class. */
  own: { maxWidth: false },
} as const;

interface FrameProps {
  readonly open?: boolean;
  /** Undefined while only the dialog's own buttons close it. */
  readonly onClose: (() => void) | undefined;
  /** A click outside closes the dialog, as the Escape key does. */
  readonly closesOutside?: boolean;
  readonly width?: keyof typeof WIDTHS;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** Dialog with a heading and buttons. The element with `autoFocus` has the focus first, otherwise the dialog itself. */
export function Dialog({
  title,
  isAlert = false,
  refusal,
  text,
  actions,
  onSubmit,
  form,
  open = true,
  onClose,
  closesOutside = true,
  width = 'content',
  className,
  children,
}: FrameProps & {
  title: ReactNode;
  /** Interrupts the user with a question. */
  isAlert?: boolean;
  /** Error above the text, or null. */
  refusal?: string | null;
  /** Text that screen readers announce together with the title. */
  text?: ReactNode;
  actions: ReactNode;
  /** Makes the dialog a form. Its submit button is one of the actions. */
  onSubmit?: ((event: FormEvent) => void) | undefined;
  /** Wraps title, content and actions in a form of its own kind. */
  form?: (body: ReactNode) => ReactNode;
}) {
  const textId = useId();
  const body = (
    <>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent>
        {refusal === undefined ? null : <FormError text={refusal} />}
        {text === undefined ? null : (
          <DialogContentText id={textId} component="div">
            {text}
          </DialogContentText>
        )}
        {children}
      </DialogContent>
      <DialogActions>{actions}</DialogActions>
    </>
  );
  return (
    <MuiDialog
      open={open}
      role={isAlert ? 'alertdialog' : 'dialog'}
      aria-describedby={text === undefined ? undefined : textId}
      onClose={(_event, reason) => (closesOutside || reason === 'escapeKeyDown' ? onClose?.() : undefined)}
      className={className}
      {...WIDTHS[width]}
    >
      {form === undefined ? plainForm(body, onSubmit) : form(body)}
    </MuiDialog>
  );
}

function plainForm(body: ReactNode, onSubmit: ((event: FormEvent) => void) | undefined): ReactNode {
  return onSubmit === undefined ? (
    body
  ) : (
    <form noValidate onSubmit={onSubmit}>
      {body}
    </form>
  );
}

/** Dialog without a heading and buttons, such as the search. `label` is its accessible name. */
export function PlainDialog({
  label,
  width = 'content',
  ...rest
}: Required<Pick<FrameProps, 'open' | 'className' | 'children'>> & {
  label: string;
  width?: FrameProps['width'];
  onClose: () => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}) {
  return <MuiDialog {...rest} {...WIDTHS[width]} slotProps={{ paper: { 'aria-label': label } }} />;
}

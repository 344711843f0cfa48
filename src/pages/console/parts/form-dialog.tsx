import { useState, type ReactNode } from 'react';
import { useMessages } from '../messages/messages.ts';
import { Dialog, type DialogProps } from './dialog.tsx';
import { TextField } from './fields.tsx';
import { Form, type FormProps } from './form.tsx';

type FormDialogProps = Pick<DialogProps, 'title' | 'onClose'> & Omit<FormProps, 'fault'> & Partial<FormProps>;

/** A dialog with a form, whose buttons are the only ones. */
export const FormDialog = ({ title, onClose, fault = null, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose} actions={null}>
    <Form fault={fault} onClose={onClose} {...form} />
  </Dialog>
);

interface DangerProps {
  readonly title: string;
  /** Has to be typed before it is done. */
  readonly name: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks about what cannot be undone, by its name. */
export function ConfirmDanger({ name, children, isBusy = false, onConfirm, ...dialog }: DangerProps) {
  const { parts } = useMessages();
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() === name.trim();
  return (
    <FormDialog look="danger" isPending={isBusy} isDisabled={!isTyped} onSubmit={onConfirm} {...dialog}>
      {children}
      <TextField label={parts.typeName(name)} value={typed} onChange={setTyped} />
    </FormDialog>
  );
}

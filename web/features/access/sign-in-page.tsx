import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { faultText } from '../../api/fault.ts';
import { PROVIDER_SIGN_OUT, signIn, type SignInStep } from '../../api/identity.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { AuthLayout } from '../../kit/auth-layout.tsx';
import { ContinueWithProvider } from './continue-with-provider.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useEnter } from './use-enter.ts';
import { useSignUp } from './use-sign-up.ts';
import { common } from '../../kit/strings.ts';
import { identity } from './identity-strings.ts';

/** Also shown by itself, without a router (`web/entrance.tsx`): its links load a page. */
export function SignInPage(): ReactElement {
  const { next, error, password, out } = readSearch();
  const { enter, signedIn } = useEnter(next, { stays: error !== undefined });
  const { offer, openid, mail } = useSignUp(next);
  const [asked, setAsked] = useState(false);
  const takesPassword = openid?.only !== true || password !== undefined;
  if (asked) return <SecondStep onDone={enter} onAgain={() => setAsked(false)} />;
  return (
    <AuthLayout>
      <title>{common.pageTitle(identity.signIn.title)}</title>
      <Title order={1} tabIndex={-1}>
        {identity.signIn.title}
      </Title>
      {error !== undefined && <FormProblem text={faultText(error, undefined)} />}
      {error !== undefined && signedIn && <StillSignedIn onBack={enter} />}
      {openid !== undefined && (
        <>
          {out !== undefined && <SignedOut name={openid.name} />}
          <ContinueWithProvider name={openid.name} next={next} />
          {takesPassword && <Divider label={identity.signIn.or} />}
        </>
      )}
      {offer !== 'unknown' && takesPassword && (
        <>
          <PasswordForm
            isMain={openid === undefined}
            onDone={(step) => (step === 'entered' ? enter() : setAsked(true))}
          />
          <PasskeyButton onDone={enter} />
        </>
      )}
      {takesPassword && <LostPassword mail={mail} />}
      {openid?.only === true ? (
        <Text size="sm">{identity.signIn.firstTime(openid.name)}</Text>
      ) : (
        <SignUpOffered offer={offer} next={next} />
      )}
    </AuthLayout>
  );
}

function readSearch(): { readonly [name in 'next' | 'error' | 'password' | 'out']: string | undefined } {
  const search = new URLSearchParams(location.search);
  const read = (name: string): string | undefined => search.get(name) ?? undefined;
  return { next: read('next'), error: read('error'), password: read('password'), out: read('out') };
}

function LostPassword({ mail }: { mail: boolean | undefined }): ReactElement | null {
  if (mail === undefined) return null;
  if (!mail) return <Text size="sm">{identity.forgot.askOperator}</Text>;
  return (
    <Anchor size="sm" href="/forgot-password">
      {identity.forgot.link}
    </Anchor>
  );
}

function SecondStep(props: { onDone: () => void; onAgain: () => void }): ReactElement {
  return (
    <AuthLayout>
      <title>{common.pageTitle(identity.factor.title)}</title>
      <Title order={1} tabIndex={-1}>
        {identity.factor.title}
      </Title>
      <SecondFactorForm {...props} />
    </AuthLayout>
  );
}

function PasswordForm({ isMain, onDone }: { isMain: boolean; onDone: (step: SignInStep) => void }): ReactElement {
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : common.emailInvalid),
      password: (value) => (value === '' ? identity.passwordRequired : null),
    },
    send: signIn,
    onDone,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          type="email"
          label={identity.email}
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={identity.password}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <FormProblem text={problem} />
        <Button type="submit" size="md" variant={isMain ? 'filled' : 'default'} loading={pending}>
          {identity.signIn.submit}
        </Button>
      </Stack>
    </form>
  );
}

function SignUpOffered({
  offer,
  next,
}: {
  offer: ReturnType<typeof useSignUp>['offer'];
  next: string | undefined;
}): ReactElement | null {
  if (offer === 'unknown') return null;
  if (offer !== 'offered') return <Text size="sm">{identity.signIn[offer]}</Text>;
  return (
    <Text size="sm">
      {identity.signIn.other}{' '}
      <Anchor href={next === undefined ? '/sign-up' : `/sign-up?${new URLSearchParams({ next })}`} inherit>
        {identity.signIn.otherLink}
      </Anchor>
    </Text>
  );
}

/** The person may not want to leave the provider, which signs them in elsewhere too. */
function SignedOut({ name }: { name: string }): ReactElement {
  return (
    <Alert color="gray">
      {identity.signIn.out(name)}{' '}
      <Anchor href={PROVIDER_SIGN_OUT} inherit>
        {identity.signIn.outThere(name)}
      </Anchor>
    </Alert>
  );
}

function StillSignedIn({ onBack }: { onBack: () => void }): ReactElement {
  return (
    <Text size="sm">
      {identity.signIn.goOn}{' '}
      <Anchor component="button" type="button" onClick={onBack} inherit>
        {identity.signIn.goOnLink}
      </Anchor>
    </Text>
  );
}

/** The first workflow that `troupe init` writes: small enough to be read in a minute, and to be changed. */
export const EXAMPLE = `# A workflow is a list of named states. A run begins at \`initial\` and continues as each state says.
name: example
description: Greets somebody and counts the files here
version: 1.0.0

inputs:
  - name: name
    type: string
    default: world
    description: Who is greeted

states:
  initial: greet

  greet:
    type: step
    description: Say hello
    # A value in a command is handed over as data: quotes and semicolons in it do no harm.
    command: echo "Hello, {{.inputs.name}}!"
    on_success: count
    on_failure: failed

  count:
    type: step
    description: Count the files
    command: ls | wc -l | tr -d ' '
    timeout: 10s
    on_success: done
    on_failure: failed

  done:
    type: terminal
    status: success
    message: "{{.states.greet.Output}} Files here: {{.states.count.Output}}."

  failed:
    type: terminal
    status: failure
    message: "A step failed."
`;

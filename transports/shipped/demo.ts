/** The shipped tour: every construct that an editor shows, with an agent played from a script. No key, no model. */
export const DEMO = `name: demo
description: "A tour with no key: commands, a fan-out, a loop, and an agent played from a script"
version: 1.0.0

inputs:
  - name: name
    type: string
    default: world
    description: Who the greeting is for

states:
  initial: look

  look:
    type: step
    description: Look around
    command: |
      echo "A greeting for {{.inputs.name}} is wanted."
      echo "Working in $(basename "$PWD")."
    on_success: checks

  checks:
    type: parallel
    description: Check three things at once
    parallel: [spelling, licence, weather]
    strategy: best_effort
    on_success: count

  spelling:
    type: step
    description: Check the spelling
    command: for word in hello hallo ola; do echo "$word is fine"; sleep 0.1; done

  licence:
    type: step
    description: Check the licence
    command: sleep 0.2; echo "greetings are free"

  weather:
    type: step
    description: Look at the sky
    command: sleep 0.1; echo "no rain expected"

  count:
    type: for_each
    description: Count down
    items: ["3", "2", "1"]
    body: [tick]
    on_complete: write

  tick:
    type: step
    description: One tick
    command: echo "{{.loop.Item}} …"

  write:
    type: agent
    description: Let the agent write it
    provider: understudy
    prompt: Write a greeting for {{.inputs.name}}.
    options:
      script:
        - think: { text: "A greeting should be short. One line will do.", chunks: 6, rate: 20 }
        - say: { text: "I will write the greeting into a file.\\n", chunks: 8, rate: 25 }
        - tool:
            title: Write troupe-demo.txt
            kind: edit
            input: { path: troupe-demo.txt }
            diff: { path: troupe-demo.txt, new: "Hello, {{.inputs.name}}!\\n" }
            locations: [{ path: troupe-demo.txt, line: 1 }]
        - write: { path: troupe-demo.txt, text: "Hello, {{.inputs.name}}!\\n" }
        - say: { text: "Done: troupe-demo.txt holds one friendly line.\\n", chunks: 8, rate: 25 }
        - usage: { inputTokens: 12, outputTokens: 20, totalTokens: 32 }
    on_success: read
    on_failure: failed

  read:
    type: step
    description: Read it back, and clear it away
    command: cat troupe-demo.txt && rm troupe-demo.txt
    on_success: done
    on_failure: failed

  done:
    type: terminal
    status: success
    message: "The greeting is: {{.states.read.Output}}"

  failed:
    type: terminal
    status: failure
    message: "No greeting was written."
`;

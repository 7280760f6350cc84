echo "a script that greets {{.inputs.who}}"

"""A whole agent in the standard library: asks a model, runs its tools, returns their results, until it is answered."""
import json, os, subprocess, sys, threading, time, urllib.request, urllib.error

BASE = os.environ["OPENAI_BASE_URL"]
TOOLS = [
    {"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object", "properties": {}}}}
    for name in ("shell", "write_file", "fail")
]


def ask(messages, tools=TOOLS):
    body = json.dumps({"model": "any", "messages": messages, **({"tools": tools} if tools else {})}).encode()
    for attempt in range(4):
        request = urllib.request.Request(BASE + "/chat/completions", body, {"content-type": "application/json", "authorization": "Bearer x"})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.loads(answer.read())["choices"][0]["message"]
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 529) or attempt == 3:
                sys.exit("model error %d: %s" % (error.code, error.read().decode()))
        except Exception as error:  # dropped or cut
            if attempt == 3:
                sys.exit("model unreachable: %s" % error)
        time.sleep(0.02)


def run(name, arguments):
    if name == "shell":
        done = subprocess.run(["sh", "-c", arguments["command"]], capture_output=True, text=True)
        return done.stdout + done.stderr
    if name == "write_file":
        with open(arguments["path"], "w", encoding="utf-8") as file:
            file.write(arguments["content"])
        return "wrote " + arguments["path"]
    if name == "fail":
        raise RuntimeError("this tool always fails")
    return "error: unknown tool " + name


def turn(prompt):
    messages = [{"role": "system", "content": "You work in " + os.getcwd()}, {"role": "user", "content": prompt}]
    while True:
        message = ask(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            try:
                result = run(call["function"]["name"], json.loads(call["function"]["arguments"]))
            except Exception as error:
                result = "error: %r" % error
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})


prompt = sys.argv[1] if len(sys.argv) > 1 else sys.stdin.read()
if os.environ.get("WITH_TITLE"):
    ask([{"role": "user", "content": "Write a title for this conversation"}], None)
children = [threading.Thread(target=turn, args=(words,)) for words in os.environ.get("CHILDREN", "").split(",") if words]
for child in children:
    child.start()
answer = turn(prompt)
for child in children:
    child.join()
sys.stdout.buffer.write((answer + "\n").encode("utf-8"))

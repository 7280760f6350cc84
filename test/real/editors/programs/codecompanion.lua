-- A user's configuration with nothing but CodeCompanion in it, and what the tests read.
vim.opt.swapfile = false
for _, folder in ipairs(vim.split(vim.env.VISIT_PLUGINS, ",")) do
  vim.opt.runtimepath:append(folder)
end
dofile(vim.env.VISIT_SETUP)

-- Choices are made by name, in their order; what was offered is kept. Without a name nothing is chosen.
Visit = { wanted = {}, offered = "" }
vim.ui.select = function(items, _, chosen)
  Visit.offered = table.concat(items, "\n")
  local wanted = table.remove(Visit.wanted, 1)
  for index, item in ipairs(items) do
    if wanted and item:find(wanted, 1, true) then
      return chosen(item, index)
    end
  end
  chosen(nil, nil)
end

function Visit.choose(...)
  Visit.wanted = { ... }
  return #Visit.wanted
end

local function last()
  return require("codecompanion").last_chat()
end
function Visit.chat()
  return table.concat(vim.api.nvim_buf_get_lines(last().bufnr, 0, -1, false), "\n")
end
-- How many commands the chat completes.
function Visit.commands()
  return #require("codecompanion.interactions.chat.acp.commands").get_commands_for_buffer(last().bufnr)
end
-- Whether the next prompt can be written.
function Visit.ready()
  return last().current_request == nil and vim.bo[last().bufnr].modifiable
end
